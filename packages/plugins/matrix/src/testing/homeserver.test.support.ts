import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deserialize, serialize } from 'node:v8'
import { Changes } from './changes.test.support.ts'
import { type Failure, Failures } from './failure.test.support.ts'
import { HomeserverApi } from './homeserver-api.test.support.ts'
import type { HomeserverRequest } from './homeserver-request.test.support.ts'
import { emptyData, type HomeserverData, HomeserverState } from './homeserver-state.test.support.ts'
import type { EventContent, MatrixEvent, NewEvent } from './matrix-event.test.support.ts'

/** How a homeserver starts. */
export interface HomeserverOptions {
  /** @default 0, a free one */
  readonly port?: number
  /** What its users and rooms are named with. @default 'localhost' */
  readonly serverName?: string
  /** A file that keeps everything over restarts: it is there before a request is answered. @default memory */
  readonly stateFile?: string | undefined
  /** What one must know to register. @default nothing */
  readonly registrationToken?: string
}

/** How many requests are remembered, the newest ones. */
const maxRequests = 5_000

/**
 * A Matrix homeserver on loopback, after the client-server API (v1.11): as much of it as bots and clients of plain rooms
 * use. It does wrong when it is told to.
 *
 * @example
 * await using homeserver = await Homeserver.start()
 * const token = homeserver.signIn(homeserver.addUser('oracle', 'a password'))
 */
export class Homeserver implements AsyncDisposable {
  readonly changes = new Changes()
  readonly faults = new Failures()
  /** Aborts with all that hangs, when faults are mended or it goes down. */
  released = new AbortController()
  readonly state: HomeserverState
  readonly #api: HomeserverApi
  readonly #requests: HomeserverRequest[] = []
  readonly #stateFile: string | undefined
  #savedSeq = 0
  #port: number
  #server: Server | undefined

  private constructor({ port = 0, serverName = 'localhost', stateFile, registrationToken }: HomeserverOptions) {
    this.#port = port
    this.#stateFile = stateFile
    const data =
      stateFile !== undefined && existsSync(stateFile)
        ? (deserialize(readFileSync(stateFile)) as HomeserverData)
        : emptyData(serverName)
    this.state = new HomeserverState(data, () => this.changes.report())
    this.#api = new HomeserverApi(this, registrationToken)
  }

  /** Starts to listen on 127.0.0.1. */
  static async start(options: HomeserverOptions = {}): Promise<Homeserver> {
    const homeserver = new Homeserver(options)
    await homeserver.up()
    return homeserver
  }

  /** Its address: `http://127.0.0.1:8008`. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Listens again where it listened before. */
  async up(): Promise<void> {
    if (this.#server) return
    const server = createServer((request, response) => void this.#api.handle(request, response))
    this.#server = server
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    server.once('error', reject).listen(this.#port, '127.0.0.1', resolve)
    await promise
    this.#port = (server.address() as AddressInfo).port
  }

  /** Refuses connections and breaks those that there are. */
  async down(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    if (server) server.close(() => resolve())
    else resolve()
    server?.closeAllConnections()
    this.#release()
    await promise
  }

  /** Does wrong from now on, beside what it does wrong already; the oldest fault comes first. */
  fault(failure: Failure): void {
    this.faults.add(failure)
  }

  /** Does nothing wrong any more. @param path only ends the faults of that path */
  fix(path?: string): void {
    this.faults.clear(path)
    this.#release()
  }

  #release(): void {
    this.released.abort()
    this.released = new AbortController()
  }

  /** @returns the id of a new user */
  addUser(name: string, password: string): string {
    return this.state.addAccount(name, password).userId
  }

  /** @returns an access token of a device; the device's earlier one ends */
  signIn(userId: string, deviceId?: string): string {
    return this.state.addLogin(userId, deviceId).token
  }

  /** Takes the tokens of a user from now on for unknown; `soft` says that the device is still there. */
  expireTokens(userId: string, how: 'soft' | 'hard' = 'hard'): void {
    for (const login of this.state.data.logins.values()) if (login.userId === userId) login.ended = how
    this.state.change()
  }

  /** The devices of a user that published keys. */
  devicesWithKeys(userId: string): string[] {
    return [...(this.state.data.keys.get(userId) ?? [])].flatMap(([id, { device }]) => (device ? [id] : []))
  }

  /** Deletes all devices of a user, as the user does in another client. @returns their ids */
  deleteDevices(userId: string): string[] {
    const devices = this.devicesWithKeys(userId)
    for (const deviceId of devices) this.state.deleteDevice(userId, deviceId)
    this.expireTokens(userId)
    return devices
  }

  /** Knows the tokens of earlier syncs no more, as after a restore of its database. */
  forgetPositions(): void {
    this.state.data.epoch = `${this.state.data.epoch}0`
    this.state.change()
  }

  /** Keeps a file. @returns its address: `mxc://localhost/1` */
  addMedia(content: Uint8Array): string {
    const { media, serverName } = this.state.data
    const id = `media${media.size + 1}`
    media.set(id, content)
    return `mxc://${serverName}/${id}`
  }

  /** Adds an event to a room without asking whether its sender may, as it may come from another homeserver. */
  inject(roomId: string, event: NewEvent): MatrixEvent {
    const room = this.state.data.rooms.get(roomId)
    if (!room) throw new Error(`No room ${roomId}`)
    return this.state.append(room, event).event
  }

  /** Has a user say several things at once. @returns the events' ids */
  flood(roomId: string, sender: string, bodies: readonly unknown[]): string[] {
    return bodies.map(body => {
      const content: EventContent = { msgtype: 'm.text', body }
      return this.inject(roomId, { type: 'm.room.message', sender, content }).event_id
    })
  }

  /** Everything that was said in a room, or in all, the oldest first. */
  events(roomId?: string): MatrixEvent[] {
    const rooms = roomId === undefined ? [...this.state.data.rooms.values()] : [this.state.data.rooms.get(roomId)]
    return rooms
      .flatMap(room => room?.events ?? [])
      .toSorted((one, other) => one.seq - other.seq)
      .map(({ event }) => event)
  }

  /** The requests of an operation, or of all, the oldest first. */
  requests(operation?: string): readonly HomeserverRequest[] {
    return operation === undefined ? [...this.#requests] : this.#requests.filter(one => one.operation === operation)
  }

  /** Remembers a request; the oldest ones are forgotten. */
  record(request: HomeserverRequest): void {
    this.#requests.push(request)
    if (this.#requests.length > maxRequests) this.#requests.splice(0, maxRequests / 10)
    this.changes.report()
  }

  /**
   * The first event that a look finds, now or later.
   *
   * @example
   * await homeserver.event(({ sender, content }) => sender === bot && content.body === 'Hello')
   */
  event(fits: (event: MatrixEvent) => boolean): Promise<MatrixEvent> {
    return this.changes.until(() => this.events().find(fits))
  }

  /** Resolves once a look finds what it is for, now or after a request or a change. */
  until<Value>(check: () => Value | undefined | false): Promise<Value> {
    return this.changes.until(check)
  }

  /** Writes what changed to the state file. */
  save(): void {
    const { data } = this.state
    if (this.#stateFile === undefined || this.#savedSeq === data.seq) return
    this.#savedSeq = data.seq
    writeFileSync(`${this.#stateFile}.new`, serialize(data))
    renameSync(`${this.#stateFile}.new`, this.#stateFile)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.down()
  }
}
