import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
} from '@modelcontextprotocol/client'
import { connectMcp, type McpConnection, type McpConnectionOptions, type McpOutcome } from '@sibyl/mcp-client'
import { z } from 'zod'
import { headlessAuthorization } from './headless-authorization.ts'

// The program that the kit starts for each scenario, with the address of its server as the last argument.
const url = process.argv.at(-1) ?? ''
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''

const text = z.string().optional()
const contextSchema = z.object({
  client_id: text,
  client_secret: text,
  private_key_pem: text,
  signing_algorithm: text,
  idp_client_id: text,
  idp_id_token: text,
  idp_issuer: text,
  idp_token_endpoint: text,
})
const context = contextSchema.parse(JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}'))

const authorization = (): Pick<McpConnectionOptions, 'authProvider' | 'authorized'> => {
  const { client_id: clientId = '', client_secret: clientSecret = '', private_key_pem: privateKey = '' } = context
  if (scenario === 'auth/client-credentials-basic') {
    return { authProvider: new ClientCredentialsProvider({ clientId, clientSecret }) }
  }
  if (scenario === 'auth/client-credentials-jwt') {
    const algorithm = context.signing_algorithm ?? 'ES256'
    return { authProvider: new PrivateKeyJwtProvider({ clientId, privateKey, algorithm }) }
  }
  if (scenario === 'auth/cross-app-access-complete-flow') {
    const {
      idp_client_id: idpClient = '',
      idp_id_token: idToken = '',
      idp_token_endpoint: tokenEndpoint = '',
    } = context
    const authProvider = new CrossAppAccessProvider({
      clientId,
      clientSecret,
      assertion: async ({ authorizationServerUrl: audience, resourceUrl: resource, fetchFn }) => {
        const wanted = { tokenEndpoint, audience, resource, idToken, clientId: idpClient, fetchFn }
        return (await requestJwtAuthorizationGrant(wanted)).jwtAuthGrant
      },
    })
    return { authProvider }
  }
  return headlessAuthorization({
    ...(clientId && { clientId, clientSecret }),
    ...(scenario === 'auth/basic-cimd' && { metadataUrl: 'https://conformance-test.local/client-metadata.json' }),
  })
}

/** Calls the tool, and agrees to whatever it asks. */
const callAndAgree = async (connection: McpConnection, tool: string, args: Record<string, number>): Promise<void> => {
  let outcome: McpOutcome = await connection.call(tool, args)
  while (outcome.kind === 'question') outcome = await outcome.answer({ action: 'accept' })
  if (outcome.isError) throw new Error('The tool failed.')
}

const connection = connectMcp({
  name: 'conformance',
  address: { kind: 'http', url, headers: {} },
  ...(scenario.startsWith('auth/') && authorization()),
  log: {
    debug: (...reported) => console.log(...reported),
    info: (...reported) => console.log(...reported),
    warn: (...reported) => console.error(...reported),
  },
})
try {
  await connection.ready(AbortSignal.timeout(60_000))
  for (const { name } of connection.tools) {
    await callAndAgree(connection, name, name === 'add_numbers' ? { a: 2, b: 3 } : {})
  }
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await connection.close()
}
