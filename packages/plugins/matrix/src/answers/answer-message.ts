import {
  type Actor,
  channelAbilities,
  isOracleError,
  type Refusal,
  type StartedTurn,
  type TurnRequest,
  TurnText,
} from '@sibyl/plugin'
import { chatLimits } from '@sibyl/protocol'
import { decryptFile } from '../client/encrypted-file.ts'
import type { MatrixClient } from '../client/matrix-client.ts'
import { isAnswerTooLong, matrixErrors } from '../client/matrix-errors.ts'
import { type Rest, StillFailing, untilDone } from '../client/retry-send.ts'
import type { RoomMedia } from '../client/room-media.ts'
import { joinedRooms } from '../rooms/room-facts.ts'
import type { MatrixHost } from '../store/matrix-tables.ts'
import { endText, fileTexts, isTransient, joined, loopText, refusalText } from './answer-texts.ts'
import { type AnswerText, AnswerWriter, maxFailures } from './answer-writer.ts'
import { AskedQuestions, type Decision, maxQuestion, questionText, readDecision } from './asked-questions.ts'
import { type Conversations, type LoopGuard, sessionOf, shortHash } from './conversations.ts'
import type { Inbox, InboxMessage } from './inbox.ts'
import { type MessagePlace, textContent } from './message-content.ts'
import { type OpenQuestion, openQuestion, putQuestions } from './open-questions.ts'
import { splitText } from './split-text.ts'

/** The abilities of a user in a room: those of every channel, and writing to rooms of which they are a member. */
const roomAbilities = [...channelAbilities, 'matrix/send']
/** Maximum number of answered messages per minute, of a user and in a room. */
const perMinute = { person: 20, room: 60 }
/** Maximum number of attempts of an interrupted turn. */
const maxRuns = 3

/** The largest file that is fetched, in bytes; the oracle's own limit for attachments may be lower. */
const maxFileBytes = 25_000_000
/** The most attempts to fetch a file while the homeserver fails. */
const maxFileTries = 3

type RoomFile = NonNullable<TurnRequest['files']>[number]

/** Returns the reply where a turn rejects the file: it is too large, not what it says, or cannot be stored. */
const rejectedFile = (error: unknown, media: RoomMedia | undefined): { readonly fault: string } => {
  if (!media || !isOracleError(error) || error.status >= 500) throw error
  return { fault: error.code === 'attachments_off' ? fileTexts.off : `I cannot take that file. ${error.message}` }
}

export interface AnswerDependencies {
  readonly host: MatrixHost
  readonly client: MatrixClient
  readonly inbox: Inbox
  readonly conversations: Conversations
  readonly guard: LoopGuard
  /** The bot's user id. */
  readonly botId: () => string
  /** Lets other messages be answered while this one waits. */
  readonly rest: Rest
}

/** Answers one message: with a turn, or as the answer to a question of a turn. */
export class AnswerMessage {
  readonly #parts: AnswerDependencies
  readonly #message: InboxMessage
  readonly #signal: AbortSignal
  readonly #key: string
  #place: MessagePlace

  constructor(parts: AnswerDependencies, message: InboxMessage, signal: AbortSignal) {
    this.#parts = parts
    this.#message = message
    this.#signal = signal
    this.#key = `sibyl-${shortHash(message.eventId)}`
    this.#place = { roomId: message.roomId, thread: message.thread }
  }

  /**
   * @throws `matrix_refused` if the bot may not write there, StillFailing if the room currently rejects messages, and
   * errors of the database
   */
  async run(): Promise<void> {
    const { host, inbox, client, conversations, guard, botId } = this.#parts
    const { roomId, sender, thread, eventId, tries, media } = this.#message
    const [room] = await joinedRooms(host.storage.read, botId(), { roomIds: [roomId] })
    if (!room) return inbox.end(this.#message)
    if (!room.isDirect) this.#place = { roomId, thread, repliesTo: eventId, mentions: [sender] }
    else if (thread !== null) this.#place = { roomId, thread, repliesTo: eventId }
    if (tries === 0 && !(await this.#isWithinLimits())) return inbox.end(this.#message)
    const did = host.identity.pairwiseDid('matrix', sender)
    if (!(await inbox.begin(this.#message, did))) return
    conversations.remember(sessionOf(roomId, thread), room)
    void client.read(roomId, eventId, this.#signal).catch(() => {})
    const actor: Actor = { did, via: 'matrix', scopes: roomAbilities }
    const question = await openQuestion(host.storage.read, { roomId, userId: sender })
    const isOwn = question?.eventId === eventId
    const decision = question && !isOwn && !media ? readDecision(this.#message.body, question.field) : undefined
    const ended =
      question && decision ? await this.#decide(actor, question, decision) : await this.#ask(actor, question)
    await inbox.end(this.#message, ended ?? undefined)
    guard.answered(roomId, sender, host.clock.now())
  }

  /** Runs a turn. @returns the question that the message closed without answering it */
  async #ask(actor: Actor, question: OpenQuestion | undefined): Promise<string | undefined> {
    const { host } = this.#parts
    const { roomId, sender, thread, body, media, eventId } = this.#message
    if (question) {
      await host.storage.write(tx =>
        tx.deleteFrom('matrix_questions').where('room_id', '=', roomId).where('user_id', '=', sender).execute(),
      )
    }
    if (body.length > chatLimits.messageCharacters) {
      await this.#send(
        `Your message is too long. Please write at most ${chatLimits.messageCharacters} characters.`,
        'long',
      )
      return undefined
    }
    const session = sessionOf(roomId, thread)
    const file = media && (await this.#fetch(media))
    if (file && 'fault' in file) {
      await this.#send(file.fault, 'file')
      return undefined
    }
    await this.#follow(actor, run =>
      host.turns.run({
        actor,
        session,
        text: body,
        ...(file ? { files: [file] } : {}),
        channel: 'matrix',
        dedupeKey: run === 0 ? eventId : `${eventId}/${run}`,
        whenBusy: 'queue',
        approvals: 'ask',
      }),
    )
    return undefined
  }

  /** Fetches the file of the message, or returns what to say of it. Throws where it may be there at the next attempt. */
  async #fetch(media: RoomMedia): Promise<RoomFile | { readonly fault: string }> {
    const { filename, mediaType, bytes = 0 } = media
    if (!media.at) return { fault: fileTexts.broken }
    if (bytes > maxFileBytes) return { fault: fileTexts.tooLarge }
    try {
      const received = await this.#parts.client.media(media.at, maxFileBytes, this.#signal)
      const content = media.fileKey ? decryptFile(received, media.fileKey) : received
      return content ? { mediaType, filename, content } : { fault: fileTexts.changed }
    } catch (error) {
      this.#signal.throwIfAborted()
      if (isAnswerTooLong(error)) return { fault: fileTexts.tooLarge }
      if (matrixErrors.matrix_refused.is(error)) return { fault: fileTexts.missing }
      if (!matrixErrors.matrix_unavailable.is(error) || this.#message.tries < maxFileTries) throw error
      this.#parts.host.log.warn('a file of a Matrix message could not be fetched', { error })
      return { fault: fileTexts.missing }
    }
  }

  /** Answers a question. @returns its id */
  async #decide(actor: Actor, question: OpenQuestion, given: Decision | 'again'): Promise<string | undefined> {
    const { host } = this.#parts
    const { roomId, sender } = this.#message
    if (given === 'again') {
      await this.#send(`That answer is not possible. ${questionText(question)}`, 'again')
      return undefined
    }
    const { approvalId } = question
    if (given.decision !== 'deny' && question.text.length > maxQuestion) {
      await this.#send(questionText(question), 'again')
      return undefined
    }
    this.#place = { ...this.#place, thread: question.thread }
    await this.#follow(actor, async () => {
      const decided = await host.turns.decide(actor, approvalId, given.decision, given.data, { maxQuestion })
      if ('refused' in decided) return decided
      if (decided.turn) return decided.turn
      const next = await openQuestion(host.storage.read, { roomId, userId: sender }, approvalId)
      if (next) await this.#send(questionText(next), 'next')
      return undefined
    })
    return approvalId
  }

  /** Starts a turn and writes its output into the room. @param begin Undefined if there is nothing to follow. */
  async #follow(
    actor: Actor,
    begin: (run: number) => Promise<{ readonly refused: Refusal } | StartedTurn | undefined>,
  ): Promise<void> {
    const { host, client, inbox, rest } = this.#parts
    const writer = new AnswerWriter({
      client,
      log: host.log,
      place: this.#place,
      key: this.#key,
      isResumed: this.#message.tries > 0,
      partsBefore: this.#message.parts,
      grows: parts => inbox.grows(this.#message, parts),
      rest,
      signal: this.#signal,
    })
    try {
      for (let run = 0; ; run += 1) {
        const started = await begin(run).catch(error => rejectedFile(error, this.#message.media))
        if (started === undefined) return
        if ('fault' in started) return await this.#send(started.fault, 'file')
        if ('refused' in started) return await this.#refuse(started.refused)
        const end = await this.#listen(actor, started, writer, run)
        if (end !== undefined) return await writer.finish(end)
      }
    } finally {
      await writer.abandon()
    }
  }

  /** Reads a turn to its end. @returns the final text; undefined if the turn must be started again */
  async #listen(actor: Actor, first: StartedTurn, writer: AnswerWriter, run: number): Promise<AnswerText | undefined> {
    const { roomId, sender, thread, eventId } = this.#message
    let turn = first
    let text = ''
    let usedTools = false
    for (;;) {
      const asked = new AskedQuestions()
      const written = new TurnText('\n\n')
      const earlier = text
      for await (const item of turn.events) {
        const { event } = item
        if (written.add(item)) {
          text = joined(earlier, written.text)
          writer.grow(text)
        }
        if (event.type === 'tool-input-available') usedTools = true
        asked.add(event)
      }
      const { text: output, outcome, ...ended } = await turn.finished
      text ||= output
      if (outcome === 'awaiting-approval') {
        const place = { roomId, userId: sender, eventId, thread: this.#place.thread ?? thread }
        const next = await putQuestions(this.#parts.host, actor, asked.list(), place)
        if (next.turn) {
          text = joined(text, next.text)
          turn = next.turn
          continue
        }
        return { text, plain: next.text }
      }
      if (outcome === 'done') return { text: text.trim() || 'I have no answer to that.' }
      if (outcome === 'interrupted' && (this.#signal.aborted || this.#parts.host.ending.aborted)) {
        throw matrixErrors.matrix_unavailable({ what: 'is unused while the oracle shuts down' })
      }
      if (outcome === 'interrupted' && !usedTools && run + 1 < maxRuns) return undefined
      return { text, plain: endText({ ...ended, outcome }) }
    }
  }

  async #refuse(refused: Refusal): Promise<void> {
    if (isTransient(refused) && this.#message.tries < 5) {
      throw matrixErrors.matrix_unavailable({ what: `waits: ${refused.code}` })
    }
    const isClosed = refused.status === 404 || refused.code.startsWith('approval_')
    await this.#send(isClosed ? 'That question is closed.' : refusalText(refused), 'refused')
  }

  /** Counts the message; if there are too many, says so once a minute. */
  async #isWithinLimits(): Promise<boolean> {
    const { limits } = this.#parts.host
    const { roomId, sender, at } = this.#message
    const loop = this.#parts.guard.loop(roomId, sender, at)
    if (loop === 'begins') await this.#mention(loopText, 'loop')
    if (loop !== 'none') return false
    const person = await limits.take({ name: 'matrix-person', key: shortHash(sender), perMinute: perMinute.person })
    const room = await limits.take({ name: 'matrix-room', key: shortHash(roomId), perMinute: perMinute.room })
    if (person.allowed && room.allowed) return true
    const reported = await limits.take({ name: 'matrix-told', key: shortHash(roomId), perMinute: 1 })
    if (reported.allowed)
      await this.#mention('You are sending too many messages. Please write again in a minute.', 'limit')
    return false
  }

  /** Sends an unimportant text, without a retry. */
  async #mention(text: string, kind: string): Promise<void> {
    await this.#send(text, kind).catch((error: unknown) => {
      if (!(error instanceof StillFailing)) throw error
    })
  }

  /** Sends a text of the bot itself, which is not an answer of the agent. */
  async #send(text: string, kind: string): Promise<void> {
    const { roomId } = this.#message
    const { client, rest } = this.#parts
    const failures = this.#message.tries > 0 ? maxFailures.again : maxFailures.first
    const tries = { signal: this.#signal, rest, maxFailures: failures }
    for (const [place, part] of splitText(text).entries()) {
      const content = textContent(
        { body: part },
        place === 0 ? this.#place : { thread: this.#place.thread },
        'm.notice',
      )
      const transactionId = `${this.#key}-${kind}${place === 0 ? '' : `-${place}`}`
      await untilDone(() => client.send(roomId, transactionId, content, this.#signal), tries)
    }
  }
}
