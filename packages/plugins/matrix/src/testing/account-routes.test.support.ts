import { type HomeserverRoute, type RouteRequest, route } from './homeserver-route.test.support.ts'
import type { Account, Login } from './homeserver-state.test.support.ts'
import { MatrixRefusal } from './matrix-event.test.support.ts'
import { deviceOf, registration, signedIn } from './registration.test.support.ts'

const logIn = (request: RouteRequest) => {
  const { state, body } = request
  if (body.type !== 'm.login.password') throw new MatrixRefusal(400, 'M_UNKNOWN', 'No such login type')
  const identifier = body.identifier as { readonly user?: unknown } | undefined
  const account = state.data.accounts.get(state.userIdOf(String(identifier?.user ?? body.user)))
  if (!account || account.password !== body.password) throw new MatrixRefusal(403, 'M_FORBIDDEN', 'Invalid password')
  return signedIn(state.addLogin(account.userId, deviceOf(request)))
}

const accountOf = ({ state, params, login }: RouteRequest): Account => {
  const account = state.data.accounts.get(params.userId ?? login.userId)
  if (!account) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'No such user')
  return account
}

const ownAccount = (request: RouteRequest): Account => {
  if (request.params.userId !== request.login.userId) throw new MatrixRefusal(403, 'M_FORBIDDEN', 'Not yours')
  return accountOf(request)
}

const profile = ({ displayName, avatarUrl }: Account) => ({
  ...(displayName === undefined ? {} : { displayname: displayName }),
  ...(avatarUrl === undefined ? {} : { avatar_url: avatarUrl }),
})

/** A new name shows in every room of its user. */
const setProfile = (request: RouteRequest) => {
  const { state, body } = request
  const account = ownAccount(request)
  if ('displayname' in body) account.displayName = String(body.displayname)
  if ('avatar_url' in body) account.avatarUrl = String(body.avatar_url)
  for (const room of state.data.rooms.values()) {
    if (!room.joinedAt.has(account.userId)) continue
    const content = { membership: 'join', ...profile(account) }
    state.append(room, { type: 'm.room.member', sender: account.userId, state_key: account.userId, content })
  }
  state.change()
  return {}
}

const accountDataKey = ({ params: { roomId, type = '' } }: RouteRequest) =>
  roomId === undefined ? type : `${roomId}|${type}`

const readAccountData = (request: RouteRequest) => {
  const found = ownAccount(request).accountData.get(accountDataKey(request))
  if (!found) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'Account data not found')
  return found.content
}

const writeAccountData = (request: RouteRequest) => {
  const { roomId } = request.params
  const kept = { seq: request.state.change(), ...(roomId === undefined ? {} : { roomId }), content: request.body }
  ownAccount(request).accountData.set(accountDataKey(request), kept)
  return {}
}

const addFilter = (request: RouteRequest) => {
  const count = ownAccount(request).filters.push(request.body)
  return { filter_id: String(count - 1) }
}

const readFilter = (request: RouteRequest) => {
  const filter = ownAccount(request).filters[Number(request.params.filterId)]
  if (filter === undefined) throw new MatrixRefusal(404, 'M_NOT_FOUND', 'No such filter')
  return filter
}

/** Signing out deletes the device with its keys. */
const endLogins = ({ state, login }: RouteRequest, ends: (other: Login) => boolean) => {
  for (const other of [login, ...state.data.logins.values()]) {
    if (other === login || ends(other)) state.deleteDevice(other.userId, other.deviceId)
  }
  return {}
}

/** Users, their logins, and what is theirs alone. */
export const accountRoutes = (registrationToken: string | undefined): readonly HomeserverRoute[] => [
  route('POST', 'register', 'register', registration(registrationToken)),
  route('GET', 'login', 'login', () => ({ flows: [{ type: 'm.login.password' }] })),
  route('POST', 'login', 'login', logIn),
  route('POST', 'logout', 'logout', request => endLogins(request, () => false)),
  route('POST', 'logout/all', 'logout', request => endLogins(request, one => one.userId === request.login.userId)),
  route('GET', 'account/whoami', 'whoami', ({ login }) => ({ user_id: login.userId, device_id: login.deviceId })),
  route('GET', 'profile/:userId', 'profile', request => profile(accountOf(request))),
  route('GET', 'profile/:userId/:field', 'profile', request => {
    const all: Readonly<Record<string, unknown>> = profile(accountOf(request))
    const { field = '' } = request.params
    return field in all ? { [field]: all[field] } : {}
  }),
  route('PUT', 'profile/:userId/:field', 'profile', setProfile),
  route('POST', 'user/:userId/filter', 'filter', addFilter),
  route('GET', 'user/:userId/filter/:filterId', 'filter', readFilter),
  route('GET', 'user/:userId/account_data/:type', 'account_data', readAccountData),
  route('PUT', 'user/:userId/account_data/:type', 'account_data', writeAccountData),
  route('GET', 'user/:userId/rooms/:roomId/account_data/:type', 'account_data', readAccountData),
  route('PUT', 'user/:userId/rooms/:roomId/account_data/:type', 'account_data', writeAccountData),
  route('GET', 'pushrules/', 'pushrules', ({ login }) => login && pushRules()),
  route('GET', 'pushrules', 'pushrules', ({ login }) => login && pushRules()),
  route('GET', 'capabilities', 'capabilities', ({ login }) => ({
    capabilities: login && { 'm.change_password': { enabled: false }, 'm.room_versions': roomVersions },
  })),
  route('PUT', 'presence/:userId/status', 'presence', request => ownAccount(request) && {}),
  route('GET', 'presence/:userId/status', 'presence', request => accountOf(request) && { presence: 'online' }),
]

const pushRules = () => ({ global: { override: [], content: [], room: [], sender: [], underride: [] } })

const roomVersions = { default: '10', available: { 10: 'stable' } }
