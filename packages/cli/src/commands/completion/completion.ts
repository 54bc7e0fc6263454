import type { Command } from 'commander'
import type { JsonOptions } from '../../command/common-options.ts'
import { writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { bashScript } from './bash-script.ts'
import { placesOf } from './completion-place.ts'
import { fishScript } from './fish-script.ts'
import { zshScript } from './zsh-script.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }

type Shell = keyof typeof scripts

/**
 * Runs `sibyl completion`: prints the script for a shell, generated from the definitions of the commands.
 *
 * @param parts.program The complete command.
 */
export const completion = (
  shell: Shell,
  { json }: JsonOptions,
  { io, program }: { readonly io: CommandIo; readonly program: Command },
): void => {
  const script = scripts[shell](placesOf(program))
  if (json) writeJson(io, { shell, script })
  else io.stdout.write(script)
}
