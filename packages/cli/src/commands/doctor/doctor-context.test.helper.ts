import type { OracleInspection } from '@sibyl/core/records'
import { openProject } from '../../project/open-project.ts'
import { folderWith } from '../../project/project-folder.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { type DoctorContext, makeContext } from './checks/doctor-context.ts'
import type { Finding } from './checks/finding.ts'

/** What a check is given of a project: its files, the environment, and facts of its inspection, which is not run. */
export interface ContextFacts {
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly oracle?: Partial<OracleInspection['oracle']>
  readonly inspection?: Partial<OracleInspection>
  readonly online?: boolean
}

const usualOracle: OracleInspection['oracle'] = {
  name: 'Field Oracle',
  publicDid: 'did:web:localhost%3A3000',
  network: 'devnet',
  environment: 'development',
  port: 3000,
  host: '127.0.0.1',
  publicUrl: 'http://localhost:3000',
  database: 'sqlite',
  model: 'offline',
  modelReady: true,
}

/** Makes the context of a check. */
export const contextOf = async (facts: ContextFacts = {}): Promise<DoctorContext & { readonly folder: string }> => {
  const folder = folderWith({ 'oracle.config.json': '{}', ...facts.files })
  const { io } = new FakeTerminal({ SIBYL_HOME: `${folder}/home`, ...facts.env }, false, 80, folder)
  const inspection: OracleInspection = {
    core: '0.1.0',
    node: process.versions.node,
    problems: [],
    plugins: [],
    variables: [],
    unknownVariables: [],
    migrations: [],
    ...facts.inspection,
    oracle: { ...usualOracle, ...facts.oracle },
  }
  const given = { io, project: await openProject(io), inspection: Promise.resolve(inspection) }
  return { ...makeContext({ ...given, online: facts.online ?? false }, new AbortController().signal), folder }
}

/** What was found in short: `warn env-mode Other users can read .env (0644).` */
export const inShort = (findings: readonly Finding[]): string[] =>
  findings.map(({ state, check, message }) => `${state} ${check} ${message}`)
