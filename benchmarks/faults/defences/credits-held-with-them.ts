// What is held is taken from a person first, and noted for the turn in a transaction of its own.
import { replaceSource } from '../frame/replace-source.ts'

const file = 'packages/plugins/credits/src/ledger/hold-turn.ts'

replaceSource([
  {
    file,
    find: '.write(tx => hold(tx, policy, request), { ...decidedByRows, committed: () => held.resolve() })',
    replace: `.write(tx => take(tx, policy, request.did, request.now), decidedByRows)
    .then(async taken => {
      await new Promise(resolve => setTimeout(resolve, 500))
      await storage.write(tx => hold(tx, policy, { ...request, taken }), decidedByRows)
      held.resolve()
    })`,
  },
  { file, find: '{ turn, did, share, now }: TurnToHold)', replace: '{ turn, share, now, taken })' },
  {
    file,
    find: 'const { person, amount } = await take(tx, policy, did, now)',
    replace: 'const { person, amount } = taken',
  },
])
