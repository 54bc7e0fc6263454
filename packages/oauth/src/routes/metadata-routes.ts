import { type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import type { ProviderHolder } from '../provider/provider-holder.ts'
import { openid, usualScopes } from '../provider/scopes.ts'
import { deviceGrant } from '../tables/device-store.ts'

const text = z.string()
const texts = z.array(z.string())

const resourceMetadata = z.object({
  resource: text,
  resource_name: text,
  authorization_servers: texts,
  scopes_supported: texts,
  bearer_methods_supported: texts,
})

const serverMetadata = z.object({
  issuer: text,
  authorization_endpoint: text,
  token_endpoint: text,
  registration_endpoint: text,
  device_authorization_endpoint: text,
  jwks_uri: text,
  revocation_endpoint: text,
  scopes_supported: texts,
  response_types_supported: texts,
  response_modes_supported: texts,
  grant_types_supported: texts,
  token_endpoint_auth_methods_supported: texts,
  revocation_endpoint_auth_methods_supported: texts,
  code_challenge_methods_supported: texts,
  subject_types_supported: texts,
  id_token_signing_alg_values_supported: texts,
  authorization_response_iss_parameter_supported: z.boolean(),
  client_id_metadata_document_supported: z.boolean(),
})

const pathParams = z.object({
  path: z
    .string()
    .max(200)
    .regex(/^[\w.~-]+(\/[\w.~-]+)*\/?$/),
})

const serverMetadataPath = '/.well-known/oauth-authorization-server'

/** Path below which the metadata of resources is. */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource'

/** Returns the metadata of the resources (RFC 9728) and of the authorization server (RFC 8414). */
export const metadataRoutes = (oracle: string, scopes: readonly string[], holder: ProviderHolder): Route[] => {
  /** The path of the public URL, after which clients ask for the metadata at the root of the site. */
  const base = () => new URL(holder.url).pathname.replace(/\/+$/, '')
  const ofResource = (path: string) => ({
    resource: `${holder.url}${path}`,
    resource_name: oracle,
    authorization_servers: [holder.url],
    scopes_supported: [...scopes],
    bearer_methods_supported: ['header'],
  })
  return [
    route.get(
      resourceMetadataPath,
      {
        auth: 'public',
        anyOrigin: true,
        summary: 'OAuth metadata of the oracle as a protected resource (RFC 9728)',
        ok: { 200: { description: 'The metadata', schema: resourceMetadata } },
      },
      c => c.json(ofResource('')),
    ),
    route.get(
      `${resourceMetadataPath}/{path{.+}}`,
      {
        auth: 'public',
        anyOrigin: true,
        summary: 'OAuth metadata of a part of the oracle, such as `/mcp`',
        params: pathParams,
        ok: { 200: { description: 'The metadata', schema: resourceMetadata } },
      },
      c => {
        const path = `/${c.req.valid('param').path.replace(/\/$/, '')}`
        return c.json(ofResource(`${path}/`.startsWith(`${base()}/`) ? path.slice(base().length) : path))
      },
    ),
    route.get(
      serverMetadataPath,
      {
        auth: 'public',
        anyOrigin: true,
        summary: 'Metadata of the authorization server (RFC 8414)',
        ok: { 200: { description: 'The metadata', schema: serverMetadata } },
      },
      c => c.json(ofServer(holder.url, scopes)),
    ),
    route.get(
      '/.well-known/openid-configuration',
      {
        auth: 'public',
        anyOrigin: true,
        summary: 'Metadata of the authorization server, for clients of OpenID Connect',
        ok: { 200: { description: 'The metadata', schema: serverMetadata } },
      },
      c => c.json(ofServer(holder.url, [openid, ...scopes])),
    ),
    route.get(
      `${serverMetadataPath}/{path{.+}}`,
      {
        auth: 'public',
        anyOrigin: true,
        summary: 'The same metadata, at the address that RFC 8414 requires if `PUBLIC_URL` has a path',
        params: pathParams,
        ok: { 200: { description: 'The metadata', schema: serverMetadata } },
        errors: [{ code: 'route_not_found', status: 404 }],
      },
      c => {
        const isOwn = `/${c.req.valid('param').path}`.replace(/\/$/, '') === base()
        return isOwn ? c.json(ofServer(holder.url, scopes)) : c.notFound()
      },
    ),
  ]
}

const ofServer = (url: string, scopes: readonly string[]): z.infer<typeof serverMetadata> => ({
  issuer: url,
  authorization_endpoint: `${url}/oauth/authorize`,
  token_endpoint: `${url}/oauth/token`,
  registration_endpoint: `${url}/oauth/register`,
  device_authorization_endpoint: `${url}/oauth/device_authorization`,
  jwks_uri: `${url}/oauth/jwks`,
  revocation_endpoint: `${url}/oauth/revoke`,
  scopes_supported: [...scopes],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', deviceGrant],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
})

/** Scopes that the metadata lists if the operator sets none. */
export const defaultScopes: readonly string[] = usualScopes
