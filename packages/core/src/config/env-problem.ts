import type { BootProblem } from '@sibyl/plugin'

/** Whose variable it is: core's own, or a plugin's by name. */
export type EnvOwner = 'core' | { readonly plugin: string }

/** A variable that failed its check. */
export interface EnvFault {
  readonly owner: EnvOwner
  readonly variable: string
  /** What is wrong, without the value; `issueFault` words it. */
  readonly fault: string
  /** Whether the fault says already what would do. */
  readonly namesAlternatives?: boolean
  /** A value that would do, in words. */
  readonly use?: string | undefined
  /** The key of oracle.config.json that the value came from. */
  readonly configKey?: string
}

/** The boot problem of a variable, with the exact headline and the remedy. */
export const envProblem = ({
  owner,
  variable,
  fault,
  namesAlternatives = false,
  use,
  configKey,
}: EnvFault): BootProblem => {
  const plugin = owner === 'core' ? undefined : owner.plugin
  const whose = plugin === undefined ? 'Core' : `Plugin '${plugin}'`
  const remedy = use && !namesAlternatives ? ` Use ${use}` : ''
  const place = configKey ? `Fix '${configKey}' in oracle.config.json` : 'Fix it in .env'
  return {
    code: 'env_invalid',
    headline: `${whose} env validation failed for '${variable}'`,
    lines: [
      `${fault}.${remedy}`,
      plugin === undefined ? `${place}.` : `${place}, or disable the plugin: ${switchOff(plugin)}`,
    ],
    ...(plugin === undefined ? {} : { plugin }),
    variable,
  }
}

/** The setting that leaves a plugin out, and its place: `features: { weather: false } in createOracleApp`. */
export const switchOff = (plugin: string): string =>
  `features: { ${/^[a-z][a-z0-9]*$/i.test(plugin) ? plugin : `'${plugin}'`}: false } in createOracleApp`
