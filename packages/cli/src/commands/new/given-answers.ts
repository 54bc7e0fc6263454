import { cliErrors } from '../../errors/cli-errors.ts'
import { parseOracleUrl } from '../../oracle/oracle-url.ts'
import { newCommandOf } from '../../process/called-as.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { type Check, checks } from './check-answers.ts'
import { type AnswerFlags, commandLine, usual } from './command-line.ts'
import type { NewOptions } from './new-command.ts'

const checked: Readonly<Record<string, { readonly flag: string; readonly check: Check }>> = {
  name: { flag: '--name', check: checks.name },
  description: { flag: '--description', check: checks.description },
  price: { flag: '--price', check: checks.price },
  model: { flag: '--model', check: checks.model },
  modelUrl: { flag: '--model-url', check: checks.modelUrl },
  apiUrl: { flag: '--api-url', check: checks.apiUrl },
  registryUrl: { flag: '--registry-url', check: checks.registryUrl },
  rpcUrl: { flag: '--rpc-url', check: checks.rpcUrl },
  tenant: { flag: '--tenant', check: checks.tenant },
  matrixUrl: { flag: '--matrix-url', check: answer => (answer === 'none' ? undefined : checks.matrixUrl(answer)) },
}

/** Validates the options before any question or effect. Throws `usage_invalid` that names the option. */
export const checkFlags = (dir: string | undefined, options: NewOptions): void => {
  const folderViolation = dir === undefined ? undefined : checks.folder(dir)
  if (folderViolation !== undefined) throw cliErrors.usage_invalid(folderViolation, 'Pass it: sibyl new field-oracle')
  for (const [key, { flag, check }] of Object.entries(checked)) {
    const value = options[key as keyof NewOptions]
    const violation = typeof value === 'string' ? check(value) : undefined
    if (violation !== undefined) throw cliErrors.usage_invalid(`${flag}: ${violation}`, 'See: sibyl new --help')
  }
  if (options.merge && options.force) {
    throw cliErrors.usage_invalid(
      '--merge and --force exclude each other.',
      'Add the missing files, or move the folder aside.',
    )
  }
}

interface GivenAddresses {
  readonly registryUrl: string | undefined
  readonly rpcUrl: string | undefined
  /** The homeserver of the bot; undefined for no bot. */
  readonly matrixUrl: string | undefined
}

/** Returns the addresses from options and the environment. Throws `configuration_invalid` that names the variable. */
export const givenAddresses = (
  options: { readonly [Name in keyof GivenAddresses]?: string | undefined },
  env: CommandIo['env'],
): GivenAddresses => {
  const address = (flag: string | undefined, variable: string) =>
    flag === undefined ? addressIn(env[variable], variable) : parseOracleUrl(flag.trim())
  return {
    registryUrl: address(options.registryUrl, 'REGISTRY_URL'),
    rpcUrl: address(options.rpcUrl, 'CHAIN_RPC_URL'),
    matrixUrl: address(options.matrixUrl, 'MATRIX_BASE_URL'),
  }
}

const addressIn = (value: string | undefined, variable: string): string | undefined => {
  const text = value?.trim()
  if (!text) return undefined
  const url = parseOracleUrl(text)
  if (url !== undefined) return url
  const remedy = 'Set it to an address such as https://example.org, without a password, or unset it.'
  throw cliErrors.configuration_invalid(`${variable} is not a valid address.`, remedy)
}

/**
 * Checks that nothing is missing when there is no terminal.
 *
 * @throws `usage_invalid` that lists everything that is missing, with a complete command
 */
export const checkNothingMissing = (dir: string | undefined, options: NewOptions, env: CommandIo['env']): void => {
  const missing = missingAnswers(dir, options, env)
  if (missing.length === 0) return
  const { auth, network, register, template, apiUrl, port, matrixUrl, registryUrl, packageManager } = options
  const folder = dir ?? usual.folder
  const chain = network === 'testnet' || network === 'mainnet'
  const flags: AnswerFlags = {
    ...(register ? { '--auth': auth ?? 'mnemonic', '--network': network ?? 'devnet' } : {}),
    '--mnemonic-file': options.mnemonicFile,
    '--rpc-url': options.rpcUrl ?? (missing.includes('--rpc-url') && chain ? 'https://rpc.example.org' : undefined),
    '--registry-url': registryUrl,
    '--name': options.name ?? 'Field Oracle',
    '--description': options.description ?? 'Answers questions from the field.',
    '--price': options.price ?? usual.price,
    '--model': options.model ?? usual.model,
    '--model-url': options.modelUrl,
    '--template': template,
    '--api-url': apiUrl,
    '--port': port === undefined ? undefined : String(port),
    '--tenant': options.tenant,
    '--matrix-url': matrixUrl,
    '--package-manager': packageManager,
  }
  const called = newCommandOf(env)
  const whole = commandLine(called, folder, flags, switchesOf(options))
  const short = chain || dir === undefined ? '' : `\nOr use the defaults:\n  ${commandLine(called, dir, {}, ['--yes'])}`
  throw cliErrors.usage_invalid(
    `There is no terminal for questions. Missing: ${missing.join(', ')}.`,
    `For example:\n  ${whole}${short}`,
  )
}

/** Returns the switches of a call, to repeat it. */
export const switchesOf = (options: NewOptions): readonly string[] => [
  ...(options.register ? [] : ['--no-register']),
  ...(options.git ? [] : ['--no-git']),
  ...(options.merge ? ['--merge'] : []),
  ...(options.force ? ['--force'] : []),
  ...(options.install ? ['--install'] : []),
  ...(options.dryRun ? ['--dry-run'] : []),
  ...(options.yes ? ['--yes'] : []),
  ...(options.json ? ['--json'] : []),
]

const missingAnswers = (dir: string | undefined, options: NewOptions, env: CommandIo['env']): readonly string[] => {
  const { yes, register, network } = options
  const missing: string[] = []
  const want = (flag: string, value: unknown) => {
    if (value === undefined) missing.push(flag)
  }
  if (options.name === undefined || !yes) want('[dir]', dir)
  if (!yes) {
    if (register) {
      want('--auth', options.auth)
      want('--network', network)
    }
    want('--name', options.name)
    want('--description', options.description)
    want('--price', options.price)
    want('--model', options.model)
  }
  if (register && network !== undefined && network !== 'devnet') want('--rpc-url', givenAddresses(options, env).rpcUrl)
  return missing
}
