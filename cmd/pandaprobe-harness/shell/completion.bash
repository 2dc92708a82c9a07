# Completion of pandaprobe-harness for bash 3.2 and newer.
# The program is asked at each TAB; this script knows nothing of its commands.

_pandaprobe_harness() {
	local line=${COMP_LINE:0:COMP_POINT} program=$1
	type -P -- "$program" >/dev/null || program=pandaprobe-harness # called by an alias

	# Where = and : end a word, bash wants only what comes behind them.
	local word=${line##*[[:blank:]]} breaks=${COMP_WORDBREAKS//[!=:]/} front=
	[[ -z $breaks ]] || front=${word%"${word##*[$breaks]}"}

	local value about
	COMPREPLY=()
	while IFS=$'\t' read -r value about; do
		case $value in
		:files) compopt -o default ;;
		:folders) compopt -o dirnames ;;
		:commands) while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -c -- "$word") ;;
		*[=.]) compopt -o nospace && COMPREPLY+=("${value#"$front"}") ;;
		*) COMPREPLY+=("${value#"$front"}") ;;
		esac 2>/dev/null
	done < <("$program" completion --line="$line" 2>/dev/null)
}

if type compopt >/dev/null 2>&1; then
	complete -F _pandaprobe_harness pandaprobe-harness
else
	complete -o default -F _pandaprobe_harness pandaprobe-harness
fi
