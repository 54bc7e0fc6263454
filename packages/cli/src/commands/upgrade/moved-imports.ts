import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of a project that is rewritten. */
export interface ChangedSource {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** Finds the sources of a project that import what moved to another package or entry, with the imports of today. */
export const findMovedImports = async (folder: string): Promise<ChangedSource[]> => {
  const entries = await readdir(join(folder, 'src'), { recursive: true, withFileTypes: true }).catch(() => [])
  const changed: ChangedSource[] = []
  for (const entry of entries) {
    if (!entry.isFile() || !/\.[cm]?tsx?$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const before = await readFile(path, 'utf8')
    const after = before
      .replaceAll(/(['"])@sibyl\/core\/testing\1/g, '$1@sibyl/testing$1')
      .replaceAll(/^((?:im|ex)port (?:type )?)\{([^}]*)\} from (['"])(@sibyl\/(?:core|plugin))\3/gm, splitNames)
    if (after !== before) changed.push({ path, before, after })
  }
  return changed
}

/** The names of `@sibyl/plugin` that `@sibyl/core` exported, too. */
const pluginNames = ['defineErrors', 'definePlugin', 'defineTool', 'Host', 'OraclePlugin', 'route']

/** The names of `@sibyl/plugin/host` that `@sibyl/plugin` exported. */
const hostNames = `
  abilitiesOf Access Agent AgentAnswer AgentDefinition AgentTask asBundled BootProblem Channel ClientTool CreateRoute
  createTextRedactor createValueRedactor CredentialSource distinctProblems EarlierMessage editDistance envDefault
  envMeta Example Grant grantSources GrantVerdict HostAccess HostCapability HostGrants HostIdentity HostLimits
  HostPeople isPlainAbility isRequiredAbility isSecretField isSecretName joinGrants loadMode LoadMode LogFields LogLevel
  makeLine makeLogger makeOriginOf makePlaces makeShareOf manifestSchema networksOf normalAddress OracleEnvironment
  OracleKey OracleProfile OracleVariables OriginOf PendingCall PersonAnswer PersonQuestion Post publicKeyFromDid
  RateVerdict redacted repeatedMembers RequiredAbility retryAfter routeBuilder RouteContext RouteDefinition RouteMethod
  RouteRateLimit sendAbility SessionMessage SessionTool SessionTools StreamedRequest streamTarget
  StreamTarget systemClock TextSink textStream ToolRequest Transcript TurnEvent Turns verdictText
`.split(/\s+/)

const movedNames: Readonly<Record<string, { readonly names: ReadonlySet<string>; readonly to: string }>> = {
  '@sibyl/core': { names: new Set(pluginNames), to: '@sibyl/plugin' },
  '@sibyl/plugin': { names: new Set(hostNames), to: '@sibyl/plugin/host' },
}

/** Splits an import into the names that stay and those that moved. */
const splitNames = (statement: string, start: string, names: string, quote: string, from: string): string => {
  const target = movedNames[from]
  const [own, moved] = [false, true].map(isMoved =>
    names
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== '' && target?.names.has(/^(?:type )?(\w+)/.exec(name)?.[1] ?? '') === isMoved),
  ) as [string[], string[]]
  if (target === undefined || moved.length === 0) return statement
  return [
    ...(own.length === 0 ? [] : [`${start}{ ${own.join(', ')} } from ${quote}${from}${quote}`]),
    `${start}{ ${moved.join(', ')} } from ${quote}${target.to}${quote}`,
  ].join('\n')
}
