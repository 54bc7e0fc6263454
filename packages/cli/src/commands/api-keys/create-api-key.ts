import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { cleanLine, writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { openApiKeys } from './api-key-client.ts'
import type { CreateOptions } from './api-keys-options.ts'

const didForm = /^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/

/** Runs `sibyl api-keys create`: prints the secret to standard output, and its properties to standard error. */
export const createApiKey = async (name: string, options: CreateOptions, io: CommandIo): Promise<ExitCode> => {
  const { scope, days, did, json } = options
  if (did !== undefined && !options.operator)
    throw cliErrors.usage_invalid('--did is only for the operator.', 'Add --operator, or remove --did.')
  if (did !== undefined && !didForm.test(did))
    throw cliErrors.usage_invalid('--did is not a DID.', 'Pass did:key:z6Mk…')
  const keys = await openApiKeys(options, io)
  const created = await keys.create({
    name,
    ...(scope ? { scopes: [...scope] } : {}),
    ...(days === undefined ? {} : { days }),
    ...(did === undefined ? {} : { did }),
  })
  if (json) {
    writeJson(io, created)
    return exitCode.done
  }
  io.stdout.write(`${created.key}\n`)
  io.stderr.write(
    `Created ${cleanLine(created.name)} (${created.id}): ${cleanLine(created.scopes.join(' '))} as ${cleanLine(created.did)} until ${created.expiresAt}.\n` +
      `Store the key now; it is not shown again. To revoke it: sibyl api-keys revoke ${created.id}${options.operator ? ' --operator' : ''}\n`,
  )
  return exitCode.done
}
