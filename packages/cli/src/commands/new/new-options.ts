import type { SigningMethod } from '../../registry/controller.ts'
import type { Network } from '../../registry/registry-node.ts'
import type { PackageManager, TemplateName } from '../../scaffold/scaffold-answers.ts'

/** The options of `sibyl new`. */
export interface NewOptions {
  readonly auth?: SigningMethod
  /** A file with the oracle's words; `-` for stdin. */
  readonly mnemonicFile?: string
  readonly network?: Network
  readonly registryUrl?: string
  readonly rpcUrl?: string
  readonly name?: string
  readonly description?: string
  readonly price?: string
  readonly model?: string
  readonly template?: TemplateName
  readonly apiUrl?: string
  readonly port?: number
  /** `none` for no bot. */
  readonly matrixUrl?: string
  readonly packageManager?: PackageManager
  readonly register: boolean
  readonly git: boolean
  readonly merge?: boolean
  readonly force?: boolean
  readonly fresh?: boolean
  readonly install?: boolean
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly json?: boolean
}
