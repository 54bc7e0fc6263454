import type { Defences } from './defence.ts'

/** Defences of turns and their streams. */
export const turnDefences: Defences = {
  'ended-turns-forgotten': {
    broken: 'The engine keeps every turn that has ended, with room for its stream.',
    replacements: [
      {
        file: 'packages/core/src/turn/claim/local-turns.ts',
        find: 'void this.#turns.delete(turnId)',
        replace: `{
      this.kept = { before: this.kept, turn: this.#turns.get(turnId), stream: new Array(8000).fill(0) }
      this.#turns.delete(turnId)
    }`,
      },
    ],
  },
  'ends-stored-before-told': {
    broken: 'The final event of a turn is sent at once, and its end is stored a moment later.',
    replacements: [
      {
        file: 'packages/core/src/turn/store/turn-finisher.ts',
        find: 'const stored = await this.#patiently(work)',
        replace: 'const stored = true; setTimeout(() => void work().catch(() => {}), 250)',
      },
    ],
  },
  'ends-stored-later': {
    broken: 'The end of a turn that could not be stored is not tried again.',
    replacements: [
      {
        file: 'packages/core/src/turn/store/turn-finisher.ts',
        find: 'for (let delayMs = 200; !this.#closing;',
        replace: 'for (let delayMs = 200; false;',
      },
    ],
  },
  'hooks-owed-until-done': {
    broken: 'A hook that fails counts as called.',
    replacements: [
      {
        file: 'packages/core/src/turn/store/turn-hooks.ts',
        find: 'if (isDone) succeeded.add(plugin)',
        replace: 'if (true) succeeded.add(plugin)',
      },
    ],
  },
  'letting-go-of-readers': {
    broken: 'A stream goes on listening for a reader who is gone.',
    replacements: [
      {
        file: 'packages/core/src/turn/stream/turn-response.ts',
        find: 'sink.onClose(finish)',
        replace: 'sink.onClose(() => {})',
      },
    ],
  },
  'one-turn-a-message': {
    broken: 'The same message again begins another turn instead of resuming its own.',
    replacements: [
      {
        file: 'packages/core/src/turn/claim/claim-turn.ts',
        find: 'messageKey: claim.messageKey ?? null',
        replace: 'messageKey: null',
      },
      {
        file: 'packages/core/src/turn/claim/claim-turn.ts',
        find: '(await runFixed(tx, messageInsert, messageValues(claim, message))).length === 0',
        replace: '!(await runFixed(tx, messageInsert, messageValues(claim, message)))',
      },
    ],
  },
  'resume-backlog': {
    broken: 'A resumed stream only sends new events, and not those of the time without a connection.',
    replacements: [
      {
        file: 'packages/core/src/turn/stream/turn-response.ts',
        find: 'new TurnCursor(log, after)',
        replace: 'new TurnCursor(log, after === 0 ? 0 : Math.max(after, log.events.length - 1))',
      },
    ],
  },
  'resume-position': {
    broken: 'A resumed stream begins from its start, whatever the client has read.',
    replacements: [
      {
        file: 'packages/core/src/http/chat-routes.ts',
        find: 'streamTurn(c, turn, last?.after ?? 0)',
        replace: 'streamTurn(c, turn, 0)',
      },
    ],
  },
  'turns-outlive-readers': {
    broken: "A turn is stopped when its reader's connection closes.",
    replacements: [
      {
        file: 'packages/core/src/http/chat-routes.ts',
        find: 'return answer(c, started)',
        replace: `const { sessionId } = request.start
      c.env.outgoing?.once('close', () => void engine.stop(c.get('actor').did, { sessionId }))
      return answer(c, started)`,
      },
    ],
  },
  'vanished-turns-begun-again': {
    broken: 'A client is given the turn of the same message while plugins are asked about it elsewhere.',
    replacements: [
      {
        file: 'packages/core/src/turn/claim/remote-turns.ts',
        find: "const isKept = (row: TurnRow) => row.admitted || row.status !== 'running'",
        replace: `return turn
    const isKept = () => true`,
      },
    ],
  },
  'vanished-turns-taken-back': {
    broken: 'A turn that was not admitted when its process ended is interrupted instead of taken back.',
    replacements: [
      {
        file: 'packages/core/src/turn/store/recover-turns.ts',
        find: 'if (!turn.admitted || (isOwn && !turn.wasFollowed)) {',
        replace: 'if (isOwn && !turn.wasFollowed) {',
      },
    ],
  },
}
