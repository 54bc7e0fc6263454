import type { EnvVariable } from '@sibyl/core'
import { botVariables } from '../../env/command-variables.ts'
import { madeSecrets } from '../../env/made-secrets.ts'
import { renderEnvValues } from '../../env/render-env-values.ts'
import { isLoopback } from '../../home/known-oracles.ts'
import type { SettingsFacts } from '../answers/project-facts.ts'

/**
 * Renders the `.env` of a new project: its values, the secrets of its oracle and its messaging bot, and the settings of
 * the plugins, commented out. Generates the secrets, except the mnemonic.
 *
 * @param variables Of core and the bundled plugins: `listEnvVariables([...bundledPlugins(), ...bundledAdapters()])`.
 * @throws `configuration_invalid` when a value cannot be written to an `.env`, such as one of several lines
 */
export const renderEnvFile = (facts: SettingsFacts, variables: readonly EnvVariable[]): string =>
  renderEnvValues({ ...ownValues(facts), ...secretsOf(facts), ...botValues(facts) }, variables)

const ownValues = ({ answers, controllers }: SettingsFacts): Readonly<Record<string, string>> => {
  const { port, network, apiUrl, registryUrl, rpcUrl } = answers
  return {
    PORT: String(port),
    NETWORK: network,
    ...(isLoopback(apiUrl) ? {} : { PUBLIC_URL: apiUrl }),
    ORACLE_CONTROLLERS: controllers.join(','),
    ...(registryUrl === undefined ? {} : { REGISTRY_URL: registryUrl }),
    ...(rpcUrl === undefined ? {} : { CHAIN_RPC_URL: rpcUrl }),
  }
}

const secretsOf = ({ mnemonic }: SettingsFacts): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(madeSecrets.map(({ variable, make }) => [variable, make()])),
  ORACLE_MNEMONIC: mnemonic,
})

const botValues = ({ bot }: SettingsFacts): Readonly<Record<string, string>> =>
  bot ? Object.fromEntries(botVariables.map(([{ name }, credential]) => [name, bot[credential]])) : {}
