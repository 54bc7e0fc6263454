import { basename } from 'node:path'
import { parseOracleUrl } from '../../oracle/oracle-url.ts'
import { cleanLine, cleanText } from '../../output/clean-text.ts'
import type { ScaffoldAnswers } from '../../scaffold/answers/scaffold-answers.ts'
import { tenantName } from '../../scaffold/answers/tenant-database.ts'
import { usual } from './command-line.ts'

/** Returns the error of an answer, if any. */
export type Check = (answer: string) => string | undefined

const limits = { name: 60, description: 300, price: 100, model: 100 } as const

/** Visible characters: letters, digits, punctuation, symbols. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

const words =
  (what: string, limit: number): Check =>
  answer => {
    const text = answer.trim()
    if (!visible.test(text)) return `${what} is missing.`
    if (text !== cleanLine(text)) return `${what} must be one line, without control characters.`
    if ([...text].length > limit)
      return `${what} may have at most ${limit} characters, and this has ${[...text].length}.`
    return undefined
  }

const address =
  (example: string): Check =>
  answer =>
    parseOracleUrl(answer.trim()) ? undefined : `Expected an address such as ${example}, without a password.`

/** Checks of text answers, for questions and options alike. */
export const checks = {
  folder: (answer: string) => {
    if (answer.trim() === '') return 'The folder is missing.'
    return /[\n\t]/.test(answer) || answer !== cleanText(answer)
      ? 'The name of the folder has a control character.'
      : undefined
  },
  name: words('The name', limits.name),
  description: words('The description', limits.description),
  price: (answer: string) =>
    words('The price', limits.price)(answer) ??
    (/^\s*free\s*$|\d/i.test(answer) ? undefined : 'Expected free, or an amount such as 0.10 IXO a question.'),
  model: (answer: string) =>
    words('The model', limits.model)(answer) ??
    (/\s/.test(answer.trim()) ? 'The name of the model has no spaces.' : undefined),
  modelUrl: address('http://localhost:11434/v1'),
  apiUrl: address('http://localhost:4000'),
  registryUrl: address('http://localhost:4100'),
  rpcUrl: address('https://rpc.example.org'),
  tenant: (answer: string) =>
    tenantName.test(answer) ? undefined : 'Expected the name of a schema: a-z, 0-9 and _, at most 50.',
  matrixUrl: address('https://matrix.example.org'),
} as const satisfies Readonly<Record<string, Check>>

/** Returns the name of an oracle for a folder: `field-oracle` becomes Field Oracle. */
export const nameFromFolder = (folder: string): string => {
  const parts = cleanLine(basename(folder))
    .split(/[-_\s.]+/)
    .filter(Boolean)
  const name = parts.map(([first = '', ...rest]) => first.toLocaleUpperCase('en') + rest.join('')).join(' ')
  return [...name].slice(0, limits.name).join('').trim() || 'Oracle'
}

/** Returns the folder for a name: Field Oracle becomes `field-oracle`. */
export const folderFromName = (name: string): string =>
  name
    .trim()
    .toLocaleLowerCase('en')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '') || 'oracle'

/** The address of an oracle in the registry, and its port. */
type OracleAddress = Pick<ScaffoldAnswers, 'apiUrl' | 'port'>

/**
 * Completes the address of a new oracle so that the registry lists the port that it listens on: a port sets the local
 * URL, and a local URL sets the port. If both are given, they stay unchanged.
 */
export const oneAddress = (given: {
  readonly apiUrl: string | undefined
  readonly port: number | undefined
}): OracleAddress => {
  const { apiUrl, port } = given
  if (apiUrl === undefined)
    return { apiUrl: port === undefined ? usual.apiUrl : localUrl(port), port: port ?? usual.port }
  return { apiUrl, port: port ?? localPort(apiUrl) ?? usual.port }
}

/** Returns the port of an oracle on this computer in the registry, if it listens on another one. */
export const listedPort = ({ apiUrl, port }: OracleAddress): number | undefined => {
  const listed = localPort(apiUrl)
  return listed === port ? undefined : listed
}

const localUrl = (port: number): string => `http://localhost:${port}`

const localPort = (apiUrl: string): number | undefined => {
  const { hostname, port, protocol } = new URL(apiUrl)
  if (!['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return undefined
  return Number(port || (protocol === 'https:' ? 443 : 80))
}
