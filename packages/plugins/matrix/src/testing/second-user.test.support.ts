import { once } from 'node:events'
import {
  ClientEvent,
  createClient,
  EventType,
  type MatrixClient,
  type MatrixEvent,
  MatrixEventEvent,
  MsgType,
  Preset,
  RelationType,
  type Room,
  RoomEvent,
  RoomMemberEvent,
} from 'matrix-js-sdk'
import { type Logger, logger as sharedLogger } from 'matrix-js-sdk/lib/logger.js'

/** A message as this user sees it now: with the last edit, its thread and what came before. */
export interface SeenMessage {
  readonly id: string
  readonly roomId: string
  readonly sender: string
  readonly body: string
  /** How often it was edited. */
  readonly edits: number
  /** The event that its thread begins with. */
  readonly thread: string | undefined
}

const ignore = () => {}

const quiet = (): Logger => ({
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  getChild: quiet,
})

/** Some of the SDK's parts write to a logger that all clients share, or to children of it, whatever they are given. */
const quietShared = () => {
  const shared = Object.assign(sharedLogger as typeof sharedLogger & { rebuild(): void }, {
    methodFactory: () => ignore,
  })
  shared.rebuild()
}

/** Somebody else at a homeserver, whose client is matrix-js-sdk. */
export class SecondUser implements Disposable {
  readonly userId: string
  /** The SDK, for what has no function here. */
  readonly client: MatrixClient

  private constructor(client: MatrixClient) {
    this.client = client
    this.userId = client.getSafeUserId()
  }

  /**
   * Registers at the homeserver of an address, signs in, and resolves after the first sync.
   *
   * @param options.encrypts With keys, for encrypted rooms; they are in memory.
   */
  static async start(
    baseUrl: string,
    name: string,
    { encrypts = false }: { readonly encrypts?: boolean } = {},
  ): Promise<SecondUser> {
    const logger = quiet()
    quietShared()
    const guest = createClient({ baseUrl, logger })
    const password = `${name} password`
    await guest.registerRequest({ username: name, password, auth: { type: 'm.login.dummy' }, inhibit_login: true })
    const identifier = { type: 'm.id.user', user: name } as const
    const { user_id, access_token, device_id } = await guest.loginRequest({
      type: 'm.login.password',
      identifier,
      password,
    })
    const client = createClient({ baseUrl, userId: user_id, accessToken: access_token, deviceId: device_id, logger })
    if (encrypts) await client.initRustCrypto({ useIndexedDB: false })
    const synced = once(client, ClientEvent.Sync)
    await client.startClient({ initialSyncLimit: 50 })
    await synced
    return new SecondUser(client)
  }

  /** Makes a direct room with somebody, and waits until they are in it. @returns its id */
  async directRoom(other: string, { encrypted = false } = {}): Promise<string> {
    const { room_id } = await this.client.createRoom({
      preset: Preset.TrustedPrivateChat,
      is_direct: true,
      invite: [other],
      ...(encrypted ? { initial_state: [encryption] } : {}),
    })
    await this.joined(room_id, other)
    return room_id
  }

  /** Makes an encrypted group with others, and waits until they are in it. @returns its id */
  async encryptedGroup(others: readonly string[]): Promise<string> {
    const { room_id } = await this.client.createRoom({
      preset: Preset.PrivateChat,
      name: 'Field team',
      invite: [...others],
      initial_state: [encryption],
    })
    for (const other of others) await this.joined(room_id, other)
    return room_id
  }

  /** Joins the rooms that this user is invited to. */
  acceptInvitations(): void {
    this.client.on(RoomMemberEvent.Membership, (_, { userId, membership, roomId }) => {
      if (userId === this.userId && membership === 'invite') void this.client.joinRoom(roomId)
    })
  }

  /** Resolves once somebody is in a room. */
  async joined(roomId: string, userId: string): Promise<void> {
    await this.#until(() => this.client.getRoom(roomId)?.getMember(userId)?.membership === 'join' || undefined)
  }

  /** Resolves once somebody is no longer in a room. */
  async left(roomId: string, userId: string): Promise<void> {
    await this.#until(() => this.client.getRoom(roomId)?.getMember(userId)?.membership === 'leave' || undefined)
  }

  /** Says something, in a thread where one is given. @returns the event's id */
  async send(roomId: string, body: string, thread?: string): Promise<string> {
    const relation = { rel_type: RelationType.Thread, event_id: thread ?? '' } as const
    const content = {
      msgtype: MsgType.Text,
      body,
      ...(thread === undefined ? {} : { 'm.relates_to': relation }),
    } as const
    return (await this.client.sendEvent(roomId, EventType.RoomMessage, content)).event_id
  }

  /** Encrypts a room from now on, and waits until this client knows. */
  async encrypt(roomId: string): Promise<void> {
    await this.client.sendStateEvent(roomId, EventType.RoomEncryption, encryption.content, '')
    await this.#until(() => this.client.getRoom(roomId)?.hasEncryptionStateEvent() || undefined)
  }

  /** Changes what was said. */
  async edit(roomId: string, eventId: string, body: string): Promise<void> {
    const content = {
      msgtype: MsgType.Text,
      body: `* ${body}`,
      'm.new_content': { msgtype: MsgType.Text, body },
      'm.relates_to': { rel_type: RelationType.Replace, event_id: eventId },
    } as const
    await this.client.sendEvent(roomId, EventType.RoomMessage, content)
  }

  /** The first message of others that fits as it is now or will be. */
  message(fits: (message: SeenMessage) => boolean): Promise<SeenMessage> {
    return this.#until(() => this.messages().find(fits))
  }

  /** All messages of others, oldest first. */
  messages(): SeenMessage[] {
    return this.client.getRooms().flatMap(room => messagesOf(room).filter(({ sender }) => sender !== this.userId))
  }

  async #until<Value>(check: () => Value | undefined): Promise<Value> {
    for (;;) {
      const found = check()
      if (found !== undefined) return found
      await this.#change()
    }
  }

  /** The next sync with something in it. */
  #change(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => resolve()
    this.client.once(RoomEvent.Timeline, wake)
    this.client.once(ClientEvent.Sync, wake)
    this.client.once(MatrixEventEvent.Decrypted, wake)
    return promise.finally(() => {
      this.client.off(RoomEvent.Timeline, wake)
      this.client.off(ClientEvent.Sync, wake)
      this.client.off(MatrixEventEvent.Decrypted, wake)
    })
  }

  [Symbol.dispose](): void {
    this.client.stopClient()
  }
}

const encryption = {
  type: EventType.RoomEncryption,
  state_key: '',
  content: { algorithm: 'm.megolm.v1.aes-sha2' },
} as const

/** The content of an event as its sender wrote it, without edits. */
const clearContent = (event: MatrixEvent) => event.getClearContent() ?? event.getWireContent()

const messagesOf = (room: Room): SeenMessage[] => {
  const events = [...room.getLiveTimeline().getEvents(), ...room.getThreads().flatMap(thread => thread.events)]
  const unique = new Map(events.map(event => [event.getId() ?? '', event]))
  const messages = [...unique.values()].filter(event => event.getType() === EventType.RoomMessage)
  const edits = (target: MatrixEvent) =>
    messages.filter(event => isEdit(event) && event.getWireContent()['m.relates_to']?.event_id === target.getId())
  return messages
    .filter(event => !isEdit(event))
    .map(event => {
      const edited = edits(event).filter(edit => edit.getSender() === event.getSender())
      const content = (edited.at(-1) && clearContent(edited.at(-1)!)['m.new_content']) ?? clearContent(event)
      return {
        id: event.getId() ?? '',
        roomId: room.roomId,
        sender: event.getSender() ?? '',
        body: String(content.body),
        edits: edited.length,
        thread: event.threadRootId === event.getId() ? undefined : event.threadRootId,
      }
    })
}

const isEdit = (event: MatrixEvent) => event.getWireContent()['m.relates_to']?.rel_type === RelationType.Replace
