import type { Asker } from '../../ask/asker.ts'
import { mayAsk } from '../../ask/asker.ts'
import { clackAsker } from '../../ask/clack-asker.ts'
import { listenForInterruption } from '../../ask/interruption.ts'
import type { CommandIo } from '../../command-io.ts'
import { type ExitCode, exitCode } from '../../exit-code.ts'
import { realEffects } from '../../scaffold/real-effects.ts'
import type { NewOptions } from './new-options.ts'
import { newOracle } from './new-oracle.ts'

/**
 * Runs `sibyl new`.
 *
 * @throws CommandError
 */
export const runNew = async (dir: string | undefined, options: NewOptions, io: CommandIo): Promise<ExitCode> => {
  const asker: Asker = clackAsker(io, options.json ? io.stderr : undefined)
  const interruption = listenForInterruption(io)
  try {
    await newOracle(dir, options, {
      io,
      asker,
      asks: mayAsk(io, options),
      effects: realEffects(io, asker),
      signal: interruption.signal,
    })
    return exitCode.done
  } finally {
    interruption.release()
  }
}
