import type { Canaries } from './make-canaries.ts'

/** Settings with which an oracle does not boot, or boots and says what is wrong; each changes what a sound one has. */
export const bootFailures = (canaries: Canaries): Readonly<Record<string, Readonly<Record<string, string>>>> => {
  const { mnemonic, brokenMnemonic, databasePassword, providerKey, operatorToken, apiKey, pinKey, pluginSecret } =
    canaries
  const password = encodeURIComponent(databasePassword)
  return {
    'everything wrong': {
      DATABASE_URL: `mysql://sibyl:${password}@127.0.0.1/sibyl`,
      ORACLE_OPERATOR_TOKEN: `${operatorToken} with a space`,
      OPENAI_API_KEY: `${providerKey} with a space`,
      OPENAI_BASE_URL: `ftp://user:${password}@example.org/`,
      PUBLIC_URL: `https://user:${password}@example.org/`,
      ORACLE_API_KEYS: `${apiKey}`,
      ORACLE_CONTROLLERS: pluginSecret,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization ${apiKey}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `https://user:${password}@example.org/`,
      PIN_ENCRYPTION_KEY: pinKey.slice(0, 12),
      LEAKY_URL: `not a url ${pluginSecret}`,
      LEAKY_FAILS: pluginSecret,
      LOG_LEVEL: apiKey,
      PORT: providerKey,
    },
    'a plugin that fails': { LEAKY_FAILS: 'setup' },
    'an invalid mnemonic': { ORACLE_MNEMONIC: brokenMnemonic },
    'a mnemonic of eleven words': { ORACLE_MNEMONIC: mnemonic.split(' ').slice(1).join(' ') },
    'a database that is not there': { DATABASE_URL: `postgres://sibyl:${password}@127.0.0.1:1/sibyl` },
    'an invalid database URL': { DATABASE_URL: `postgres//sibyl:${databasePassword}@127.0.0.1` },
  }
}
