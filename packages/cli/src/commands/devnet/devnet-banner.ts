import { shellWord } from '../../output/shell-word.ts'
import type { Styles } from '../../output/styles.ts'

/** What a devnet tells when it has started. */
export interface DevnetFacts {
  readonly url: string
  readonly publicDid: string
  readonly did: string
  readonly folder: string
  readonly keysPath: string
  /** The API key, where the person has not seen it yet. */
  readonly apiKey: string | undefined
  /** The port that its DIDs name, where it listens on another one. */
  readonly namedPort: number | undefined
  /** What starts it: `sibyl devnet`. */
  readonly command: string
}

/** The words under which a started devnet is used, a line each. */
export const devnetBanner = (facts: DevnetFacts, { dim, bold, accent }: Styles): readonly string[] => {
  const { url, apiKey, keysPath, command } = facts
  const row = (name: string, value: string) => `  ${dim(name.padEnd(11))} ${value}`
  const aside = (text: string) => `  ${' '.repeat(11)} ${dim(text)}`
  return [
    `${bold('Sibyl devnet')}   ${accent(url)}   ${dim('Ctrl-C ends it')}`,
    '',
    row('DID', facts.publicDid),
    ...(facts.namedPort === undefined ? [] : [aside(`as at its first start, on port ${facts.namedPort}`)]),
    row('signs as', facts.did),
    row('data', facts.folder),
    row('explorer', `${url}/explorer`),
    row('API', `${url}/docs`),
    ...(apiKey === undefined
      ? [row('API key', `in ${keysPath}`), aside(`for a new one: ${command} --new-key`)]
      : [row('API key', bold(apiKey)), aside(`shown this once, and kept in ${keysPath}`)]),
    '',
    'Use it as a registry:',
    '',
    `  export REGISTRY_URL=${url}`,
    `  export REGISTRY_API_KEY=${apiKey ?? keyFrom(keysPath)}`,
    '  curl -H "Authorization: Bearer $REGISTRY_API_KEY" "$REGISTRY_URL/v1/entities"',
    '',
  ]
}

/** A command that gives the key to the shell alone. */
const keyFrom = (path: string): string => `$(node -p ${shellWord(`require(${JSON.stringify(path)}).apiKey`)})`
