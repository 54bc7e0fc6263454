import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of a project that is rewritten. */
export interface ChangedSource {
  readonly path: string
  readonly before: string
  readonly after: string
}

/**
 * Finds the files of a project to change: sources that import what moved to another package or entry, and other edited
 * files.
 *
 * @param edited Texts by path, in which the imports are changed, too.
 */
export const findChangedSources = async (
  folder: string,
  edited: ReadonlyMap<string, string>,
): Promise<ChangedSource[]> => {
  const entries = await readdir(join(folder, 'src'), { recursive: true, withFileTypes: true }).catch(() => [])
  const sources = entries.filter(entry => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
  const paths = new Set([...sources.map(({ parentPath, name }) => join(parentPath, name)), ...edited.keys()])
  const changed: ChangedSource[] = []
  for (const path of paths) {
    const before = await readFile(path, 'utf8')
    const after = (edited.get(path) ?? before)
      .replaceAll(/(['"])@sibyl\/core\/testing\1/g, '$1@sibyl/testing$1')
      .replaceAll(/^((?:im|ex)port (?:type )?)\{([^}]*)\} from (['"])(@sibyl\/[\w-]+)\3/gm, splitNames)
    if (after !== before) changed.push({ path, before, after })
  }
  return changed
}

/** The names of `@sibyl/plugin` that `@sibyl/core` exported, too. */
const pluginNames = ['defineErrors', 'definePlugin', 'defineTool', 'Host', 'OraclePlugin', 'route']

/** The names of `@sibyl/plugin/host` that `@sibyl/plugin` exported. */
const hostNames = `
  abilitiesOf Access Agent AgentAnswer AgentDefinition AgentTask asBundled BootProblem CamelCaseStorage
  camelCaseTransaction Channel ClientTool countEarlier CreateRoute deleteCounted newId readAddressList
  createTextRedactor createValueRedactor CredentialSource distinctProblems EarlierMessage editDistance envDefault
  envMeta Example Grant grantSources GrantVerdict HostAccess HostCapability HostGrants HostIdentity HostLimits
  HostPeople isPersonNeeded isPlainAbility isRequiredAbility isSecretField isSecretName joinGrants loadMode LoadMode LogFields LogLevel
  makeLine makeLogger makeOriginOf makePlaces makeShareOf manifestSchema networksOf normalAddress OracleEnvironment
  OracleKey OracleProfile OracleVariables OriginOf PendingCall PersonAnswer PersonQuestion Post publicKeyFromDid
  RateVerdict redacted repeatedMembers RequiredAbility retryAfter routeBuilder RouteContext RouteDefinition RouteMethod
  RouteRateLimit sendAbility SessionMessage SessionTool SessionTools silentLogger StreamedRequest streamTarget
  StreamTarget systemClock TextSink textStream ToolRequest Transcript TurnEvent Turns verdictText
`.split(/\s+/)

/** The names of `@sibyl/plugin-entities/records` that `@sibyl/protocol` exported. */
const entityNames = `
  EntityCreation entityCreation EntityPatch entityPatch EntityRecord entityRecord EntityRegistry entityRegistry mergePatch
  RegisteredEntity
`.split(/\s+/)

/** The names of `@sibyl/plugin/phones` that `@sibyl/protocol` exported. */
const phoneNames = `
  asciiDigits maskPhone normalPhone phoneChannel phoneTextLength plainPhoneText readPhoneNumber shortenPhoneText
`.split(/\s+/)

const moves: readonly { readonly from: string; readonly names: readonly string[]; readonly to: string }[] = [
  { from: '@sibyl/core', names: pluginNames, to: '@sibyl/plugin' },
  { from: '@sibyl/plugin', names: hostNames, to: '@sibyl/plugin/host' },
  { from: '@sibyl/protocol', names: entityNames, to: '@sibyl/plugin-entities/records' },
  { from: '@sibyl/protocol', names: phoneNames, to: '@sibyl/plugin/phones' },
  { from: '@sibyl/protocol', names: ['nextUtcDay', 'utcDay'], to: '@sibyl/plugin' },
  { from: '@sibyl/protocol', names: ['WeatherDay', 'weatherForecasts'], to: '@sibyl/plugin-weather' },
  { from: '@sibyl/client', names: ['HttpRegistry', 'HttpRegistryOptions'], to: '@sibyl/plugin-entities/registry' },
]

/** Splits an import into the names that stay and those that moved. */
const splitNames = (statement: string, start: string, list: string, quote: string, from: string): string => {
  const names = list.split(',').flatMap(name => (name.trim() === '' ? [] : [name.trim()]))
  const targetOf = (name: string): string => {
    const plain = name.replace(/^type /, '').split(' ')[0] ?? ''
    return moves.find(move => move.from === from && move.names.includes(plain))?.to ?? from
  }
  if (names.every(name => targetOf(name) === from)) return statement
  return [...new Set([from, ...names.map(targetOf)])]
    .map(target => ({ target, named: names.filter(name => targetOf(name) === target) }))
    .filter(({ named }) => named.length > 0)
    .map(({ target, named }) => `${start}{ ${named.join(', ')} } from ${quote}${target}${quote}`)
    .join('\n')
}
