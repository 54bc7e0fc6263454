import { randomBytes } from 'node:crypto'
import { type HomeserverRoute, type RouteRequest, textOf } from './homeserver-route.test.support.ts'
import type { Login } from './homeserver-state.test.support.ts'
import { MatrixRefusal } from './matrix-event.test.support.ts'

/** What whoever signed in is answered. */
export const signedIn = ({ token, userId, deviceId }: Login) => ({
  user_id: userId,
  access_token: token,
  device_id: deviceId,
  home_server: userId.replace(/^[^:]*:/, ''),
})

/** The device that is asked for. */
export const deviceOf = ({ body }: RouteRequest) => (typeof body.device_id === 'string' ? body.device_id : undefined)

const tokenStage = 'm.login.registration_token'

/** Registers in the stages of user-interactive authentication; with a token for those who have one alone. */
export const registration = (registrationToken: string | undefined): HomeserverRoute['answer'] => {
  const sessions = new Map<string, string[]>()
  const stages = [...(registrationToken === undefined ? [] : [tokenStage]), 'm.login.dummy']

  return request => {
    const { state, body } = request
    const name = textOf(body, 'username')
    if (!/^[a-z0-9._=/+-]{1,200}$/.test(name)) throw new MatrixRefusal(400, 'M_INVALID_USERNAME', 'No such user names')
    if (state.data.accounts.has(state.userIdOf(name))) throw new MatrixRefusal(400, 'M_USER_IN_USE', 'Taken')
    const { type, token, session = randomBytes(6).toString('hex') } = (body.auth ?? {}) as Record<string, string>
    const completed = sessions.get(session) ?? []
    sessions.set(session, completed)
    const challenge = (errcode?: string) =>
      new MatrixRefusal(401, errcode, 'Wrong', { flows: [{ stages }], params: {}, completed, session })
    if (type === undefined) throw challenge()
    if (type === tokenStage && token !== registrationToken) throw challenge('M_UNAUTHORIZED')
    completed.push(type)
    if (!stages.every(stage => completed.includes(stage))) throw challenge()
    const { userId } = state.addAccount(name, textOf(body, 'password'))
    return body.inhibit_login === true ? { user_id: userId } : signedIn(state.addLogin(userId, deviceOf(request)))
  }
}
