import { defineCommand } from '../../command/define-command.ts'

const help = `
The script goes to stdout; a shell that has read it completes commands, options and their values with Tab. Write it again
when sibyl is updated, or have the shell ask for it at each start.

Examples:
  sibyl completion bash > ~/.local/share/bash-completion/completions/sibyl
  sibyl completion zsh > "\${fpath[1]}/_sibyl"                    then open a new shell
  sibyl completion fish > ~/.config/fish/completions/sibyl.fish
  source <(sibyl completion bash)                                for this shell alone; in ~/.bashrc for each

Exit codes: 0 done, 2 usage.`

export const completionCommand = defineCommand({
  name: 'completion',
  summary: 'generate a shell completion script',
  help,
  positionals: { shell: { choices: ['bash', 'zsh', 'fish'], summary: 'which one' } },
  options: { json: { summary: 'print print the script in one JSON object' } },
  run: async ({ positionals: { shell }, options, io, program }) =>
    (await import('./completion.ts')).completion(shell, options, { io, program }),
})
