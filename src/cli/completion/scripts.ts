/**
 * Shell scripts that complete a climate-nextgen command line. They pass the line unchanged and treat the answer as text:
 * nothing that a service sends is evaluated.
 */

/** The command prints one candidate per line: `+word` is complete, `~word` goes on. */
const BASH = `# climate-nextgen's completion for bash; in ~/.bashrc: source <(climate-nextgen completion bash)
_climate_nextgen() {
  local candidate
  COMPREPLY=()
  while IFS= read -r candidate; do
    case $candidate in
      +*) COMPREPLY+=("\${candidate:1} ") ;;
      \\~*) COMPREPLY+=("\${candidate:1}") ;;
    esac
  done < <(command climate-nextgen complete-line bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null </dev/null)
}
complete -o nospace -o default -F _climate_nextgen climate-nextgen
`;

const ZSH = `#compdef climate-nextgen
# climate-nextgen's completion for zsh; in ~/.zshrc after compinit: source <(climate-nextgen completion zsh)
_climate_nextgen() {
  local candidate
  local -a whole open
  while IFS= read -r candidate; do
    case $candidate in
      +*) whole+=("\${candidate[2,-1]}") ;;
      \\~*) open+=("\${candidate[2,-1]}") ;;
    esac
  done < <(command climate-nextgen complete-line zsh -- "\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)
  (( $#whole + $#open )) || { _files; return }
  (( $#open )) && compadd -M 'm:{a-zA-Z}={A-Za-z}' -S '' -a open
  (( $#whole )) && compadd -M 'm:{a-zA-Z}={A-Za-z}' -a whole
}
compdef _climate_nextgen climate-nextgen
`;

const FISH = `# climate-nextgen's completion for fish; in ~/.config/fish/config.fish: climate-nextgen completion fish | source
function __climate_nextgen
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  set -l word (string unescape -- $current; or string unescape -- $current\\"; or string unescape -- $current\\')
  set -l found (command climate-nextgen complete-line fish -- $before "$word" 2>/dev/null </dev/null)
  if set -q found[1]
    string sub -s 2 -- $found
  else
    __fish_complete_path $current
  end
end
complete -c climate-nextgen -f -a '(__climate_nextgen)'
`;

export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;

export type Shell = keyof typeof SCRIPTS;
