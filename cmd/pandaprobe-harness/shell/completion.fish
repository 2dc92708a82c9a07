# Completion of pandaprobe-harness for fish.
# The program is asked at each TAB; this script knows nothing of its commands.

function __pandaprobe_harness_complete
    set -l word (commandline -ct)
    set -l front (string match -r -- '^--[^=]*=' $word)
    for answer in (pandaprobe-harness completion --line=(commandline -cp) 2>/dev/null)
        switch $answer
            case :files
                string replace -r -- '^' "$front" (__fish_complete_path (string replace -r -- '^--[^=]*=' '' $word))
            case :folders
                string replace -r -- '^' "$front" (__fish_complete_directories (string replace -r -- '^--[^=]*=' '' $word))
            case :commands
                __fish_complete_command
            case '*'
                echo $answer
        end
    end
end

complete -c pandaprobe-harness -f -a '(__pandaprobe_harness_complete)'
