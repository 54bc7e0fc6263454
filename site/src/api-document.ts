import { bundledPlugins } from '@sibyl/bundle'
import { createOracleApp } from '@sibyl/core'
import { silentLogger, switchedOn } from '@sibyl/testing'

/** Returns the OpenAPI document of an oracle with every bundled plugin, with a server address that the reader can change. */
export const apiDocument = async (): Promise<object> => {
  const plugins = bundledPlugins()
  const env = { ...switchedOn(plugins), DATABASE_URL: 'memory:', ORACLE_API_KEYS: 'example:0123456789abcdef' }
  const oracle = await createOracleApp({ plugins, env, logger: silentLogger })
  try {
    const document = (await (await oracle.request('/openapi.json')).json()) as object
    const oracleAddress = { default: 'http://localhost:3000', description: 'The address of your oracle' }
    return { ...document, servers: [{ url: '{oracle}', variables: { oracle: oracleAddress } }] }
  } finally {
    await oracle.close()
  }
}
