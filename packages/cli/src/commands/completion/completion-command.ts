import { defineCommand } from '../../command/define-command.ts'

const help = `Prints a script that completes commands, options and their values with Tab. Generate it again after an update of sibyl,
or have the shell load it at each start.`

export const completionCommand = defineCommand({
  name: 'completion',
  summary: 'generate a shell completion script',
  help,
  examples: [
    'sibyl completion bash > ~/.local/share/bash-completion/completions/sibyl',
    `sibyl completion zsh > "\${fpath[1]}/_sibyl"                    then open a new shell`,
    'sibyl completion fish > ~/.config/fish/completions/sibyl.fish',
    'source <(sibyl completion bash)                                only this shell; in ~/.bashrc all shells',
  ],
  exits: '0 done, 2 usage.',
  positionals: { shell: { choices: ['bash', 'zsh', 'fish'], summary: 'which one' } },
  options: { json: { summary: 'print the script in one JSON object' } },
  run: async ({ positionals: { shell }, options, io, program }) =>
    (await import('./completion.ts')).completion(shell, options, { io, program }),
})
