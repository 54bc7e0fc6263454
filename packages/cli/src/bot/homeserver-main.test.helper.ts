import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { HomeserverBehaviour } from './homeserver-process.test.helper.ts'

const domain = 'matrix.test'
interface User {
  readonly password: string
  displayName?: string
}
interface Room {
  readonly id: string
  readonly alias?: string
  readonly creator: string
}
interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

interface RegisterBody {
  readonly username: string
  readonly password: string
  readonly auth?: { readonly session?: string; readonly type?: string; readonly token?: string }
}
interface LoginBody {
  readonly identifier?: { readonly user?: string }
  readonly password?: string
}
interface RoomBody {
  readonly room_alias_name: string
}

/** A Matrix homeserver after the client-server API, as far as a bot is made ready by it. */
const createHomeserver = (behaviour: HomeserverBehaviour) => {
  const idOf = (localpart: string) => `@${localpart}:${domain}`

  const users = new Map<string, User>(
    Object.entries(behaviour.users ?? {}).map(([name, password]) => [idOf(name), { password }]),
  )
  const tokens = new Map<string, string>()
  const rooms: Room[] = (behaviour.foreignAliases ?? []).map((alias, place) => ({
    id: `!foreign${place}:${domain}`,
    alias: `#${alias}:${domain}`,
    creator: idOf('mallory'),
  }))
  const sessions = new Map<string, string[]>()
  const requests: string[] = []
  let busyTimes = behaviour.busy?.times ?? 0

  const refuse = (status: number, errcode: string, more: object = {}): Answer => ({
    status,
    body: { errcode, error: `hostile\u001b[31m text about ${errcode}`, ...more },
  })
  const signIn = (userId: string): Answer => {
    const token = `syt_${randomBytes(9).toString('hex')}`
    tokens.set(token, userId)
    return { body: { user_id: userId, access_token: token, device_id: 'DEVICE', home_server: domain } }
  }

  const flows = {
    open: [{ stages: ['m.login.dummy'] }],
    closed: [],
    token: [{ stages: ['m.login.registration_token', 'm.login.dummy'] }],
    captcha: [{ stages: ['m.login.recaptcha', 'm.login.terms'] }],
    endless: [{ stages: ['m.login.dummy'] }],
  }

  const register = ({ username, password, auth }: RegisterBody): Answer => {
    const { registration = 'open' } = behaviour
    if (registration === 'closed') return refuse(403, 'M_FORBIDDEN')
    if (users.has(idOf(username))) return refuse(400, 'M_USER_IN_USE')
    const { session = randomBytes(6).toString('hex'), type, token } = auth ?? {}
    const completed = sessions.get(session) ?? []
    const challenge = (more: object = {}): Answer => ({
      status: 401,
      body: { flows: flows[registration], params: {}, session, completed, ...more },
    })
    sessions.set(session, completed)
    if (type === undefined || registration === 'endless') return challenge()
    if (type === 'm.login.registration_token' && token !== 'from the admin') {
      return challenge({ errcode: 'M_UNAUTHORIZED', error: 'Invalid token' })
    }
    completed.push(type)
    const done = flows[registration].some(({ stages }) => stages.every(stage => completed.includes(stage)))
    if (!done) return challenge()
    users.set(idOf(username), { password })
    return signIn(idOf(username))
  }

  const logIn = ({ identifier, password }: LoginBody): Answer => {
    const { user } = identifier ?? {}
    const userId = user?.startsWith('@') ? user : idOf(user ?? '')
    return users.get(userId)?.password === password && password ? signIn(userId) : refuse(403, 'M_FORBIDDEN')
  }

  const createRoom = (userId: string, { room_alias_name }: RoomBody): Answer => {
    if (behaviour.refusesRooms) return refuse(403, 'M_FORBIDDEN')
    const alias = `#${room_alias_name}:${domain}`
    if (rooms.some(room => room.alias === alias)) return refuse(400, 'M_ROOM_IN_USE')
    const id = `!${randomBytes(6).toString('hex')}:${domain}`
    rooms.push({ id, alias, creator: userId })
    return { body: { room_id: id } }
  }

  const answer = async (request: IncomingMessage, url: string): Promise<Answer> => {
    const { method } = request
    const path = decodeURIComponent(url.replace(/\?.*/, ''))
    const body = JSON.parse((await text(request)) || '{}')
    if (path === '/_matrix/client/versions') return { body: JSON.parse(behaviour.versions ?? '{"versions":["v1.11"]}') }
    if (busyTimes > 0) {
      busyTimes -= 1
      return refuse(429, 'M_LIMIT_EXCEEDED', { retry_after_ms: behaviour.busy?.retryAfterMs })
    }
    const route = `${method} ${path.replace('/_matrix/client/v3', '')}`
    if (route === 'POST /register') return register(body)
    if (route === 'POST /login') return logIn(body)
    const userId = tokens.get(request.headers.authorization?.slice('Bearer '.length) ?? '')
    if (userId === undefined) return refuse(401, 'M_UNKNOWN_TOKEN')
    if (route === 'POST /logout') {
      tokens.delete(request.headers.authorization!.slice('Bearer '.length))
      return { body: {} }
    }
    if (route === `PUT /profile/${userId}/displayname`) {
      users.get(userId)!.displayName = body.displayname
      return { body: {} }
    }
    if (route === 'POST /createRoom') return createRoom(userId, body)
    const [, alias] = /^GET \/directory\/room\/(.+)$/.exec(route) ?? []
    if (alias !== undefined) {
      const room = rooms.find(it => it.alias === alias)
      return room ? { body: { room_id: room.id, servers: [domain] } } : refuse(404, 'M_NOT_FOUND')
    }
    const [, roomId] = /^GET \/rooms\/(.+)\/state$/.exec(route) ?? []
    const room = rooms.find(({ id }) => id === roomId)
    if (!room) return refuse(404, 'M_UNRECOGNIZED')
    const event = { room_id: room.id, event_id: '$1', origin_server_ts: 1, state_key: '', content: {} }
    return { body: [{ ...event, type: 'm.room.create', sender: room.creator }] }
  }

  return async (request: IncomingMessage, response: ServerResponse, url: string) => {
    if (url === '/state') {
      const state = { users: Object.fromEntries(users), tokens: Object.fromEntries(tokens), rooms, requests }
      response.end(JSON.stringify(state))
      return
    }
    requests.push(`${request.method} ${url}`)
    const { answers } = behaviour
    if (answers && !url.endsWith('/versions')) {
      response.writeHead(answers.status, answers.location === undefined ? {} : { location: answers.location })
      response.end(answers.body.padEnd(answers.length ?? 0))
      return
    }
    const { status = 200, body } = await answer(request, url)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

const homeservers: ReturnType<typeof createHomeserver>[] = []
/** `POST /` with a behaviour makes a homeserver, which is at the path that is answered. */
const server = createServer(async (request, response) => {
  if (request.url === '/') {
    homeservers.push(createHomeserver(JSON.parse(await text(request))))
    response.end(`/${homeservers.length - 1}`)
    return
  }
  const [, place, url] = /^\/(\d+)(\/.*)$/.exec(request.url ?? '') ?? []
  await homeservers[Number(place)]?.(request, response, url ?? '/')
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
