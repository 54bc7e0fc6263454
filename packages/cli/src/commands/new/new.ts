import { intro } from '@clack/prompts'
import { mayAsk } from '../../ask/asker.ts'
import { clackAsker } from '../../ask/clack-asker.ts'
import { listenForInterruption } from '../../ask/until-interrupted.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { oldestNodeOfProjects, oldNode } from '../../process/node-version.ts'
import { realEffects } from '../../scaffold/real-effects.ts'
import type { NewOptions } from './new-command.ts'
import { newOracle } from './new-oracle.ts'

/** Runs `sibyl new`. Throws CommandError; `configuration_invalid` on a Node version that does not run projects. */
export const runNew = async (dir: string | undefined, options: NewOptions, io: CommandIo): Promise<void> => {
  demandNode(process.versions.node)
  const asker = clackAsker(io, options.json ? io.stderr : undefined)
  const asks = mayAsk(io, options)
  const interruption = listenForInterruption(io)
  try {
    if (asks) intro('A new oracle. Press Ctrl-C to cancel.', { output: io.stdout })
    await newOracle(dir, options, {
      io,
      asker,
      asks,
      effects: realEffects(io, asker, asks),
      signal: interruption.signal,
    })
  } finally {
    interruption.release()
  }
}

const demandNode = (version: string): void => {
  const old = oldNode(version, { what: 'a new project', oldest: oldestNodeOfProjects })
  if (old) throw cliErrors.configuration_invalid(old.message, old.remedy)
}
