import type { Actor, Host } from '@sibyl/plugin'
import type { CamelCaseStorage, Grant } from '@sibyl/plugin/host'
import type Provider from 'oidc-provider'
import { createKeysScope } from '../page/scope-text.ts'
import type { ProviderRequest } from '../provider/call-provider.ts'
import { withMessages } from '../provider/call-provider.ts'
import { coveredPart, grantableScopes, isRequested, openid, wantsIdToken } from '../provider/scopes.ts'
import type { OauthTables } from '../tables/oauth-tables.ts'
import { keepClient, recordStore } from '../tables/record-store.ts'
import { maxSignIns, type SignInStore } from '../tables/sign-in-store.ts'
import { browserOf } from './browser-of.ts'
import { signInErrors } from './sign-in-errors.ts'

/** The interaction of a browser with the authorization server, as the library has it. */
export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** A request of the page that a client sent the user to. */
export interface PageRequest extends ProviderRequest {
  readonly uid: string
}

/** Returns the interaction of a request. Throws `sign_in_expired`. */
export const readInteraction = async (provider: Provider, request: PageRequest): Promise<Interaction> => {
  const interaction = await withMessages(provider, request, (incoming, outgoing) =>
    provider.interactionDetails(incoming, outgoing),
  ).catch(() => undefined)
  if (interaction?.uid !== request.uid) throw signInErrors.sign_in_expired()
  return interaction
}

const dayMs = 86_400_000

/** Stores a part of what was submitted in an interaction, until it expires. */
export const saveSubmission = async (interaction: Interaction, part: object): Promise<void> => {
  interaction.lastSubmission = { ...interaction.lastSubmission, ...part }
  await interaction.save(Math.max(1, interaction.exp - Math.floor(Date.now() / 1000)))
}

/** Returns the scopes that the client requested. */
export const requestedScopes = ({ params }: Interaction): string[] =>
  grantableScopes(params.scope as string | undefined, String(params.client_id))

/** Returns the resource that the tokens are for. */
export const requestedResource = ({ params }: Interaction, url: string): string =>
  [(params.resource as string | readonly string[] | undefined) ?? url].flat()[0] ?? url

/** The user who signed in, with their rights. */
export interface SignedIn {
  readonly did: string
  readonly holder: string
  readonly origin: string | undefined
  readonly scopes: readonly string[]
  readonly grant: Grant
}

export interface SignInParts {
  readonly host: Host<unknown, OauthTables>
  readonly storage: CamelCaseStorage<OauthTables>
  readonly signIns: SignInStore
  /** Days after a sign-in for which its client is stored. */
  readonly clientDays: number
  readonly now: () => number
}

/**
 * Stores the consent of a user, limited to what the client requested, the user chose and the user holds.
 *
 * @returns the URL at which the browser goes on
 */
export const completeSignIn = async (
  provider: Provider,
  request: PageRequest,
  user: SignedIn,
  choice: { readonly scopes: readonly string[]; readonly days: number },
  { host, storage, signIns, clientDays, now }: SignInParts,
): Promise<string> => {
  const interaction = await readInteraction(provider, request)
  const actor: Actor = { did: user.did, via: 'ucan', scopes: user.scopes, holder: user.holder, grant: user.grant }
  const mayOperate = host.grants.isOfOperator(actor)
  const requested = requestedScopes(interaction)
  const chosen = choice.scopes.filter(
    scope =>
      isRequested(scope, requested) &&
      (scope !== createKeysScope || user.scopes.includes(scope)) &&
      (mayOperate || !scope.startsWith('operator/')),
  )
  const scopes = [...new Set(chosen.flatMap(scope => coveredPart(scope, user.scopes)))]
  if (scopes.length === 0) throw signInErrors.sign_in_scopes_missing()
  // The library knows the scopes of the request alone; each request reads those of the sign-in too.
  const granted = requested.filter(
    scope =>
      (chosen.includes(scope) && coveredPart(scope, user.scopes).length > 0) ||
      (scope === '*' && chosen.some(part => !requested.includes(part))),
  )
  const clientId = String(interaction.params.client_id)
  const client = await provider.Client.find(clientId)
  // Else the signature of a phone would sign in again after the user ended the sign-in.
  await recordStore('Interaction', { storage, now, usedError: signInErrors.sign_in_expired }).consume(interaction.uid)
  const resource = requestedResource(interaction, provider.issuer)
  const createdAt = now()
  const created = await signIns.create(
    {
      did: user.did,
      scopes,
      holder: user.holder,
      origin: user.origin,
      grant: user.grant,
      client: clientId,
      clientName: client?.clientName ?? clientId,
      redirectUri: String(interaction.params.redirect_uri),
      device: browserOf(request.headers.get('user-agent') ?? undefined),
      resource,
      createdAt,
      expiresAt: Math.min(createdAt + choice.days * dayMs, ...expiriesOf(user.grant)),
    },
    host.limits.shareOf({ ...actor, ...(user.origin === undefined ? {} : { origin: user.origin }) }, maxSignIns.ofAll),
  )
  if ('full' in created) throw signInErrors.sign_ins_full()
  await keepClient(storage, clientId, createdAt + clientDays * dayMs)
  const grant = new provider.Grant({ accountId: created.id, clientId })
  grant.addResourceScope(resource, granted.join(' '))
  if (wantsIdToken(interaction.params.scope)) grant.addOIDCScope(openid)
  const rest = requested.filter(scope => !granted.includes(scope))
  if (rest.length > 0) grant.rejectResourceScope(resource, rest.join(' '))
  const grantId = await grant.save()
  return finish(provider, request, { login: { accountId: created.id, remember: false }, consent: { grantId } })
}

/** Rejects the request of the client. Returns the URL at which the browser goes on. */
export const denySignIn = async (provider: Provider, request: PageRequest): Promise<string> => {
  await readInteraction(provider, request)
  return finish(provider, request, { error: 'access_denied', error_description: 'The user denied access.' })
}

const finish = (provider: Provider, request: PageRequest, result: object): Promise<string> =>
  withMessages(provider, request, (incoming, outgoing) =>
    provider.interactionResult(incoming, outgoing, result as never),
  )

/** Returns when the delegations of a grant expire, in milliseconds since 1970. */
const expiriesOf = ({ links = [] }: Grant): number[] => links.map(({ expiresAt }) => expiresAt * 1000)
