import type { Mnemonic } from '@sibyl/identity'
import type { Asker } from '../../ask/asker.ts'
import { askForMnemonic, readGivenWords } from '../../keystore/given-secret.ts'
import { parseOracleUrl } from '../../oracle/oracle-url.ts'
import { detectPackageManager } from '../../package-manager/detect-package-manager.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { SigningMethod } from '../../registry/controller.ts'
import type { OracleProfile } from '../../registry/oracle-entity.ts'
import { type Network, networks } from '../../registry/registry-node.ts'
import type { ScaffoldAnswers } from '../../scaffold/answers/scaffold-answers.ts'
import { findCheckout } from '../../scaffold/packages/find-checkout.ts'
import { type Check, checks, nameFromFolder, oneAddress } from './check-answers.ts'
import { askForModel, type ChosenModel, checkModelName } from './choose-model.ts'
import { usual } from './command-line.ts'
import { givenAddresses } from './given-answers.ts'
import type { NewOptions } from './new-command.ts'

interface CollectedAnswers {
  readonly answers: ScaffoldAnswers
  /** The existing mnemonic of the oracle, if any. */
  readonly words: Mnemonic | undefined
}

interface QuestionContext {
  readonly folder: string
  readonly options: NewOptions
  readonly io: CommandIo
  /** Asks questions; undefined if missing answers get their defaults. */
  readonly asker: Asker | undefined
}

/**
 * Collects the answers: from options, then from the environment, then by questions, in the order of the scaffolding
 * flow.
 *
 * @throws `usage_invalid`, `interrupted`
 */
export const collectAnswers = async (context: QuestionContext): Promise<CollectedAnswers> => {
  const { folder, options, io } = context
  const { register } = options
  const { signing, words } = await authentication(context, register)
  const { model, modelUrl } = await modelFor(context)
  const asker = (await keepsDefaults(context)) ? undefined : context.asker
  const network = options.network ?? (register && asker ? await askNetwork(asker, io) : 'devnet')
  const place = register ? await addressesFor(context, network) : {}
  const profile = { ...(await profileFor({ ...context, asker })), model }
  const answers: ScaffoldAnswers = {
    folder,
    template: options.template ?? 'minimal',
    signing,
    network,
    ...place,
    profile,
    modelUrl,
    ...oneAddress({ apiUrl: parseOracleUrl(options.apiUrl?.trim() ?? ''), port: options.port }),
    tenant: options.tenant,
    matrixBaseUrl: givenAddresses(options, io.env).matrixUrl,
    packageManager: options.packageManager ?? (await detectPackageManager(folder, callerEnv(io))),
    register,
    git: options.git,
  }
  return { answers, words }
}

/**
 * Returns the environment without the variables of the script of a checkout, whose runner does not install projects.
 */
const callerEnv = ({ env }: CommandIo): CommandIo['env'] => (findCheckout() === undefined ? env : {})

const authentication = async (
  { options, io, asker }: QuestionContext,
  register: boolean,
): Promise<{ readonly signing: SigningMethod; readonly words: Mnemonic | undefined }> => {
  const words = await readGivenWords(options.mnemonicFile, io)
  if (options.auth !== undefined) return { signing: options.auth, words }
  if (words !== undefined || asker === undefined || !register) return { signing: 'mnemonic', words }
  const way = await asker.select('How will you sign?', [
    { value: 'new', label: 'Key on this computer', hint: 'a new mnemonic of 24 words' },
    { value: 'qr', label: 'QR code with your phone' },
    { value: 'own', label: 'Your existing mnemonic', hint: '12 or 24 words' },
  ])
  if (way !== 'own') return { signing: way === 'qr' ? 'qr' : 'mnemonic', words: undefined }
  return { signing: 'mnemonic', words: await askForMnemonic(asker, 'The words of the mnemonic, in order') }
}

const modelFor = async ({ options, io, asker }: QuestionContext): Promise<ChosenModel> => {
  const modelUrl = parseOracleUrl(options.modelUrl?.trim() ?? '')
  const model = options.model?.trim()
  if (model !== undefined && modelUrl === undefined) await checkModelName(model, io)
  if (model !== undefined || asker === undefined) return { model: model ?? usual.model, modelUrl }
  return { modelUrl, ...(await askForModel(asker, io)) }
}

/** Shows the answers that have defaults, and asks whether they stay; true without a question if options set them. */
const keepsDefaults = async ({ folder, options, asker }: QuestionContext): Promise<boolean> => {
  const { name = nameFromFolder(folder), description = usual.description, price = usual.price } = options
  const { network = 'devnet', register } = options
  const isAsked = [options.name, options.description, options.price, ...(register ? [options.network] : [])]
  if (asker === undefined || !isAsked.includes(undefined)) return true
  const facts = [description, price, ...(register ? [`registered on ${network}`] : [])].join(' · ')
  return asker.select(`Create ${name}? (${facts})`, [
    { value: true, label: 'Create it' },
    { value: false, label: `Change the name, purpose, price${register ? ' or network' : ''} first` },
  ])
}

const addressesFor = async (
  { options, io, asker }: QuestionContext,
  network: Network,
): Promise<Pick<ScaffoldAnswers, 'registryUrl' | 'rpcUrl'>> => {
  const { registryUrl, rpcUrl } = givenAddresses(options, io.env)
  if (network === 'devnet') return { registryUrl }
  const asked = rpcUrl ?? (await asker?.text(`The RPC address of the ${network}`, { check: checks.rpcUrl }))
  return { rpcUrl: asked && parseOracleUrl(asked.trim()) }
}

const askNetwork = (asker: Asker, { env }: CommandIo): Promise<Network> => {
  const hints: Readonly<Record<Network, string>> = {
    devnet: env.REGISTRY_URL ? 'the registry at REGISTRY_URL' : 'on this computer, free',
    testnet: 'a public test chain',
    mainnet: 'the production chain',
  }
  return asker.select(
    'Which network?',
    networks.map(value => ({ value, label: value, hint: hints[value] })),
    'devnet',
  )
}

const profileFor = async ({ folder, options, asker }: QuestionContext): Promise<Omit<OracleProfile, 'model'>> => {
  const answer = async (key: 'name' | 'description' | 'price', question: string, initial: string): Promise<string> => {
    const flag = options[key]
    if (flag !== undefined) return flag.trim()
    return asker === undefined ? initial : ask(asker, question, initial, checks[key])
  }
  return {
    name: await answer('name', 'What is the name of the oracle?', nameFromFolder(folder)),
    description: await answer('description', 'What is its purpose?', usual.description),
    price: await answer('price', 'What does a conversation cost?', usual.price),
  }
}

const ask = async (asker: Asker, question: string, initial: string, check: Check): Promise<string> =>
  (await asker.text(question, { initial, check })).trim()
