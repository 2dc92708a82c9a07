#compdef pandaprobe-harness
# Completion of pandaprobe-harness for zsh: source it after compinit, or put it
# into a folder of $fpath under the name _pandaprobe-harness.
# The program is asked at each TAB; this script knows nothing of its commands.

_pandaprobe-harness() {
	local program=${~words[1]} answer word about
	[[ -n ${commands[$program]} || -x $program ]] || program=pandaprobe-harness
	local line="${(j: :)words[1,CURRENT-1]} $PREFIX"
	local -a whole open
	local -i missed=1
	for answer in "${(@f)$("$program" completion --line="$line" 2>/dev/null)}"; do
		word=${${answer%%$'\t'*}//:/\\:} about=${answer#*$'\t'}
		case $answer in
		'') ;;
		:files) compset -P '--*='; _files && missed=0 ;;
		:folders) compset -P '--*='; _files -/ && missed=0 ;;
		:commands) _command_names -e && missed=0 ;;
		*[=.]$'\t'*) open+=("$word${about:+:$about}") ;;
		*) whole+=("$word${about:+:$about}") ;;
		esac
	done
	(( $#whole )) && _describe -V value whole && missed=0
	(( $#open )) && _describe -V value open -S '' && missed=0
	return missed
}

if [[ ${funcstack[1]} == _pandaprobe-harness ]]; then
	_pandaprobe-harness "$@"
elif (( $+functions[compdef] )); then
	compdef _pandaprobe-harness pandaprobe-harness
fi
