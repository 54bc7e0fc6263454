import { Argument, Command } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import type { ExitCode } from '../../exit-code.ts'
import type { CompletionOptions, Shell } from './completion.ts'

const help = `
The script goes to stdout; a shell that has read it completes commands, options and their values with Tab. Write it again
when sibyl is updated, or have the shell ask for it at each start.

Examples:
  sibyl completion bash > ~/.local/share/bash-completion/completions/sibyl
  sibyl completion zsh > "\${fpath[1]}/_sibyl"                    then open a new shell
  sibyl completion fish > ~/.config/fish/completions/sibyl.fish
  source <(sibyl completion bash)                                for this shell alone; in ~/.bashrc for each

Exit codes: 0 done, 2 usage.`

/**
 * Makes the command `completion`: what it understands, with the work itself loaded when it runs.
 *
 * @param finish Takes the exit code.
 */
export const completionCommand = (io: CommandIo, finish: (code: ExitCode) => void): Command =>
  new Command('completion')
    .description('have a shell complete what is typed')
    .addArgument(new Argument('<shell>', 'which one').choices(['bash', 'zsh', 'fish']))
    .option('--json', 'the script in one JSON object')
    .addHelpText('after', help)
    .action(async (shell: Shell, options: CompletionOptions, command: Command) => {
      const { completion } = await import('./completion.ts')
      finish(completion(shell, options, { io, program: rootOf(command) }))
    })

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command)
