import { basename } from 'node:path'
import { parseOracleUrl } from '../../oracle/oracle-url.ts'
import { cleanLine, cleanText } from '../../output/clean-text.ts'
import type { ScaffoldAnswers } from '../../scaffold/answers/scaffold-answers.ts'
import { usual } from './command-line.ts'

/** Says what is wrong with an answer; undefined where nothing is. */
export type Check = (answer: string) => string | undefined

const limits = { name: 60, description: 300, price: 100, model: 100 } as const

/** Letters, digits, symbols: what can be seen. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

const words =
  (what: string, limit: number): Check =>
  answer => {
    const text = answer.trim()
    if (!visible.test(text)) return `${what} is missing.`
    if (text !== cleanLine(text)) return `${what} must be one line, without control characters.`
    if ([...text].length > limit) return `${what} may have at most ${limit} characters, and this has ${[...text].length}.`
    return undefined
  }

const address =
  (example: string): Check =>
  answer =>
    parseOracleUrl(answer.trim()) ? undefined : `Expected an address such as ${example}, without a password.`

/** Checks of the answers that are text, for questions and flags alike. */
export const checks = {
  folder: (answer: string) => {
    if (answer.trim() === '') return 'The folder is missing.'
    return /[\n\t]/.test(answer) || answer !== cleanText(answer)
      ? 'The name of the folder has a control character.'
      : undefined
  },
  name: words('The name', limits.name),
  description: words('The description', limits.description),
  price: words('The price', limits.price),
  model: (answer: string) =>
    words('The model', limits.model)(answer) ??
    (/\s/.test(answer.trim()) ? 'The name of the model has no spaces.' : undefined),
  apiUrl: address('http://localhost:4000'),
  registryUrl: address('http://localhost:4100'),
  rpcUrl: address('https://rpc.example.org'),
  matrixUrl: address('https://matrix.example.org'),
} as const satisfies Readonly<Record<string, Check>>

/** Returns what a folder's name says of its oracle: `field-oracle` is Field Oracle. */
export const nameFromFolder = (folder: string): string => {
  const parts = cleanLine(basename(folder))
    .split(/[-_\s.]+/)
    .filter(Boolean)
  const name = parts.map(([first = '', ...rest]) => first.toLocaleUpperCase('en') + rest.join('')).join(' ')
  return [...name].slice(0, limits.name).join('').trim() || 'Oracle'
}

/** Returns what a name says of the folder: Field Oracle is `field-oracle`. */
export const folderFromName = (name: string): string =>
  name
    .trim()
    .toLocaleLowerCase('en')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '') || 'oracle'

/** Where the registry lists an oracle, and the port it listens on. */
type OracleAddress = Pick<ScaffoldAnswers, 'apiUrl' | 'port'>

/**
 * Completes the address of a new oracle so that it listens where the registry lists it: a port given alone names the local
 * URL, a local URL given alone the port. Both are taken as they are given.
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

/** Returns the port at which the registry lists an oracle on this computer, where it listens on another one. */
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
