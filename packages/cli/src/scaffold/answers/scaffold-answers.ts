import { z } from 'zod'
import { cleanLine } from '../../output/clean-text.ts'
import { packageManagers } from '../../package-manager/detect-package-manager.ts'
import { signingMethods } from '../../registry/controller.ts'
import { networks } from '../../registry/registry-node.ts'
import { tenantName } from './tenant-database.ts'

/** The templates of `sibyl new`; each is a folder of `templates/`. */
export const templateNames = ['minimal', 'weather', 'ussd', 'twins', 'web'] as const

export type TemplateName = (typeof templateNames)[number]

/** A line of an answer, without control characters that someone added by hand to a record. */
const line = z.string().refine(text => text === cleanLine(text))

export const scaffoldAnswers = z.strictObject({
  folder: z.string(),
  template: z.enum(templateNames),
  signing: z.enum(signingMethods),
  network: z.enum(networks),
  profile: z.strictObject({ name: line, description: line, price: line, model: line }),
  /** The address of a model server; by default the variables of the environment decide. */
  modelUrl: z.url().optional(),
  /** The registry of `devnet`; by default that of this computer. */
  registryUrl: z.url().optional(),
  /** The RPC address of the chain, for `testnet` and `mainnet`. */
  rpcUrl: z.url().optional(),
  /** The address of the oracle in the registry. @default http://localhost:4000 */
  apiUrl: z.url(),
  /** `PORT` of the project. @default 3000 */
  port: z.int().min(1).max(65_535),
  /** The schema of the oracle in the PostgreSQL of DATABASE_URL; undefined for a database of its own. */
  tenant: z.string().regex(tenantName).optional(),
  /** The homeserver of the messaging bot; undefined for none. */
  matrixBaseUrl: z.url().optional(),
  packageManager: z.enum(packageManagers),
  /** Whether to register the oracle's entity. */
  register: z.boolean(),
  /** Whether to create a git repository, unless the folder is in one. */
  git: z.boolean(),
})

/** The answers for a new project; each is an option of `sibyl new`, and most are a question. */
export type ScaffoldAnswers = Readonly<z.infer<typeof scaffoldAnswers>>
