import { join } from 'node:path'
import { renderEnvExample } from '../../env/render-env-example.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { writeJson } from '../../output/clean-text.ts'
import { asCalled } from '../../process/called-as.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { readProjectFile, replaceProjectFile } from '../../project/read-project-file.ts'
import type { EnvExampleOptions } from './env-command.ts'
import { openEnvContext } from './env-context.ts'

export const showEnvExample = async (options: EnvExampleOptions, io: CommandIo): Promise<ExitCode> => {
  const { write = false, check = false, json = false } = options
  if (write && check) throw cliErrors.usage_invalid('--write conflicts with --check.', 'Pass only one of them.')
  const { project, variables, remark } = await openEnvContext(io)
  const text = renderEnvExample(variables)
  if (!write && !check) {
    if (remark !== undefined) io.stderr.write(`${remark}\n`)
    if (json) writeJson(io, { text })
    else io.stdout.write(text)
    return exitCode.done
  }
  if (!project) {
    const message = `There is no oracle here whose .env.example can be ${write ? 'written' : 'checked'}.`
    throw cliErrors.project_missing(message, 'Go to the folder of the oracle.')
  }
  if (remark !== undefined) throw cliErrors.configuration_invalid(remark, 'Fix that first: sibyl doctor')
  const path = join(project.folder, '.env.example')
  const isAsItShould = (await readProjectFile(path))?.replaceAll('\r\n', '\n') === text
  if (write && !isAsItShould) await replaceProjectFile(path, text, 0o644)
  const words = write ? ['Wrote', 'Up to date:'] : ['Not up to date:', 'Up to date:']
  if (json) writeJson(io, { path, upToDate: isAsItShould || write, changed: write && !isAsItShould })
  else io.stdout.write(`${words[isAsItShould ? 1 : 0]} ${path}\n`)
  if (!write && !isAsItShould && !json) {
    io.stdout.write(asCalled('Write it again: sibyl env example --write\n', io.env))
  }
  return write || isAsItShould ? exitCode.done : exitCode.failed
}
