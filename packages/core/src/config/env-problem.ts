import type { BootProblem } from '@sibyl/plugin/host'

/** The owner of a variable: core, or a plugin by name. */
export type EnvOwner = 'core' | { readonly plugin: string }

/** A variable that failed its check. */
export interface EnvViolation {
  readonly owner: EnvOwner
  readonly variable: string
  /** The error, without the value; see `issueViolation`. */
  readonly fault: string
  /** Whether the error already names the valid values. */
  readonly namesAlternatives?: boolean
  /** A description of a valid value. */
  readonly use?: string | undefined
  /** The key of oracle.config.json with the value. */
  readonly configKey?: string
}

/** Returns the boot problem of a variable, with the exact headline and the remedy. */
export const envProblem = ({
  owner,
  variable,
  fault,
  namesAlternatives = false,
  use,
  configKey,
}: EnvViolation): BootProblem => {
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
    plugin,
    variable,
  }
}

/** Returns the setting that disables a plugin: `features: { weather: false } in createOracleApp`. */
export const switchOff = (plugin: string): string =>
  `features: { ${/^[a-z][a-z0-9]*$/i.test(plugin) ? plugin : `'${plugin}'`}: false } in createOracleApp`
