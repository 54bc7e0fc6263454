import type { Defences } from './defence.ts'

/** Defences of entities, claims, credentials and credits. */
export const twinDefences: Defences = {
  'claims-counted-with-them': {
    broken: 'A claim is counted in its collection a moment after it was taken in.',
    replacements: [
      {
        file: 'packages/plugins/claims/src/claims/submit-claim.ts',
        find: 'const taken = await collections.take(collection.id, claim.asset, tx)',
        replace: `const count = later => collections.take(collection.id, claim.asset, later)
        const most = collection.quota.all ?? Infinity
        const taken = most > collection.taken ? 'taken' : 'collection'
        setTimeout(() => outside(() => void storage.write(count).catch(() => {})), 20)`,
      },
      {
        file: 'packages/plugins/claims/src/claims/submit-claim.ts',
        find: 'export const createSubmitClaim = ',
        replace: `import { AsyncLocalStorage } from 'node:async_hooks'

const outside = AsyncLocalStorage.snapshot()

export const createSubmitClaim = `,
      },
    ],
  },
  'claims-decided-as-one': {
    broken:
      'The credential of a claim is stored first, and the approval that it follows from in a transaction of its own.',
    replacements: [
      {
        file: 'packages/plugins/claims/src/evaluation/decide-claim.ts',
        find: `    await storage.write(async tx => {
      const stored = prepared && (await issuer?.store(prepared, tx).catch(asConflict))`,
        replace: `    const stored = prepared && (await storage.write(tx => issuer?.store(prepared, tx)))
    await new Promise(resolve => setTimeout(resolve, 50))
    await storage.write(async tx => {`,
      },
    ],
  },
  'claims-places-on-disk': {
    broken: 'Which places of a status list are allotted is remembered by each process alone.',
    replacements: [
      {
        file: 'packages/plugins/credentials/src/status-lists/status-places.ts',
        find: `  const wanted = new Set(Array.from({ length: batch }, () => randomInt(listPlaces)))
`,
        replace: `  const wanted = new Set(Array.from({ length: batch }, () => next.place++))
`,
      },
      {
        file: 'packages/plugins/credentials/src/status-lists/status-places.ts',
        find: 'const reserveBatch = async',
        replace: 'const next = { place: 0 }\n\nconst reserveBatch = async',
      },
      {
        file: 'packages/plugins/credentials/src/status-lists/status-places.ts',
        find: ".onConflict(it => it.columns(['list', 'place']).doNothing())",
        replace: ".onConflict(it => it.columns(['list', 'place']).doUpdateSet({ reservation }))",
      },
      {
        file: 'packages/plugins/credentials/src/status-lists/status-places.ts',
        find: "        .where('reservation', '=', reservation)\n        .where('credential_id', 'is', null)\n",
        replace: '',
      },
    ],
  },
  'credentials-signatures': {
    broken: 'The signature of a proof is not verified.',
    replacements: [
      {
        file: 'packages/plugins/credentials/src/proofs/verify-proof.ts',
        find: ', digest.bytes, signature)',
        replace: ', digest.bytes, signature) || signature.length === 64',
      },
    ],
  },
  'credentials-whole-document': {
    broken: 'A proof is over its own options alone, and not over the document.',
    replacements: [
      {
        file: 'packages/plugins/credentials/src/proofs/jcs-digest.ts',
        find: 'sha256(document)',
        replace: 'sha256({})',
      },
    ],
  },
  'credits-charged-once': {
    broken: 'A turn that is reported again is charged again.',
    replacements: [
      {
        file: 'packages/plugins/credits/src/ledger/settle-turn.ts',
        find: ".onConflict(conflict => conflict.column('turn').doNothing())",
        replace: ".onConflict(conflict => conflict.column('turn').doUpdateSet({ amount: cost }))",
      },
      {
        file: 'packages/plugins/credits/src/ledger/settle-turn.ts',
        find: 'key: `charge:',
        replace: 'key: Math.random() + `charge:',
      },
      {
        file: 'packages/plugins/credits/src/turn-billing.ts',
        find: 'await storage.write(tx => settleTurn(tx, policy, { record, end, cost, now: clock.now() }), decidedByRows)',
        replace: `await storage.write(tx => settleTurn(tx, policy, { record, end, cost, now: clock.now() }), decidedByRows)
      const isOwn = record.startedAt > Date.now() - process.uptime() * 1000
      if (isOwn) await new Promise(resolve => setTimeout(resolve, 300))`,
      },
    ],
  },
  'credits-held-with-them': {
    broken: 'What is held is taken from a person first, and noted for the turn in a transaction of its own.',
    replacements: [
      {
        file: 'packages/plugins/credits/src/ledger/hold-turn.ts',
        find: '.write(tx => hold(tx, policy, request), { ...decidedByRows, committed: () => held.resolve() })',
        replace: `.write(tx => take(tx, policy, request.did, request.now), decidedByRows)
    .then(async taken => {
      await new Promise(resolve => setTimeout(resolve, 500))
      await storage.write(tx => hold(tx, policy, { ...request, taken }), decidedByRows)
      held.resolve()
    })`,
      },
      {
        file: 'packages/plugins/credits/src/ledger/hold-turn.ts',
        find: '{ turn, did, share, now }: TurnToHold)',
        replace: '{ turn, share, now, taken })',
      },
      {
        file: 'packages/plugins/credits/src/ledger/hold-turn.ts',
        find: 'const { person, amount } = await take(tx, policy, did, now)',
        replace: 'const { person, amount } = taken',
      },
    ],
  },
  'entities-keys-kept-with-them': {
    broken: 'The reply to an Idempotency-Key is kept a moment after the entity that it names.',
    replacements: [
      {
        file: 'packages/plugins/entities/src/writing/perform-round.ts',
        find: 'if (task.reply && !(await keepReply(tx, task.reply, prepared.answer, parts.now()))) throw new Clash()',
        replace: `const { reply } = task
    const keep = later => keepReply(later, reply, prepared.answer, parts.now())
    if (reply) setTimeout(() => void parts.storage.write(keep).catch(() => {}), 50)`,
      },
    ],
  },
  'entities-told-after-commit': {
    broken: 'A write of an entity is answered at once, and stored a moment later.',
    replacements: [
      {
        file: 'packages/plugins/entities/src/writing/perform-round.ts',
        find: 'await parts.storage.write(tx => writeTasks',
        replace: 'await later(parts.storage, tx => writeTasks',
      },
      {
        file: 'packages/plugins/entities/src/writing/perform-round.ts',
        find: 'const writeTogether = async (',
        replace: `const later = async (storage, work, options) =>
  void setTimeout(() => void storage.write(work, options).catch(() => {}), 50)

const writeTogether = async (`,
      },
    ],
  },
  'entities-webhook-position-after': {
    broken: 'How far a webhook has come is written down before the change is sent.',
    replacements: [
      {
        file: 'packages/plugins/entities/src/changes/deliver-changes.ts',
        find: 'const failure = await send(parts, webhook, change, signal)',
        replace: `await store.progress(webhookId, stored, change.position)
      await new Promise(resolve => setTimeout(resolve, 60))
      const failure = await send(parts, webhook, change, signal)`,
      },
    ],
  },
  'entities-written-as-one': {
    broken: 'What follows from changes, events, edges and indexes, is written in a transaction of its own after them.',
    replacements: [
      {
        file: 'packages/plugins/entities/src/writing/perform-round.ts',
        find: 'if (written < changes.length) throw new Clash()',
        replace: `if (written < changes.length) throw new Clash()
  const { storage } = arguments[0]
  const write = () => storage.write(later => follow(arguments[0], later, changes))
  if (storage) return void setImmediate(() => outside(() => void write().catch(() => {})))
  await follow(arguments[0], tx, changes)
}

const outside = AsyncLocalStorage.snapshot()
const follow = async ({ edges, relationshipRules, projections }, tx, changes) => {`,
      },
      {
        file: 'packages/plugins/entities/src/writing/perform-round.ts',
        find: 'export const writeChanges = async (',
        replace: 'import { AsyncLocalStorage } from "node:async_hooks"\n\nexport const writeChanges = async function (',
      },
      {
        file: 'packages/plugins/entities/src/writing/perform-round.ts',
        find: `  changes: readonly SignedChange[],
): Promise<void> => {
  const written`,
        replace: `  changes: readonly SignedChange[],
): Promise<void> {
  const written`,
      },
    ],
  },
}
