import { type FormEvent, useState } from 'react'
import { saveGrant, startOver } from './connection.ts'

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''

/** Returns whether the user cannot go on: no grant, an expired one, or no key. */
export const isBlocking = (error: unknown): boolean => codeOf(error) === 'key_lost' || needsGrant(error)

const needsGrant = (error: unknown): boolean =>
  ['ucan_untrusted_root', 'ucan_expired', 'ucan_revoked', 'ucan_capability_missing', 'mint_request_invalid'].includes(
    codeOf(error),
  )

/** Shows an error, with what the user can do about it. */
export const Failure = ({ error, did = '', onRetry }: { error: unknown; did?: string; onRetry: () => void }) => {
  if (codeOf(error) === 'key_lost') return <KeyLost onRetry={onRetry} />
  if (needsGrant(error))
    return <GrantForm did={did} isExpired={codeOf(error) !== 'ucan_untrusted_root'} onRetry={onRetry} />
  return (
    <div className="card bad" role="alert">
      <p>{error instanceof Error ? error.message : 'Something went wrong.'}</p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  )
}

const KeyLost = ({ onRetry }: { onRetry: () => void }) => (
  <div className="card" role="alert">
    <h2>Your key is gone</h2>
    <p>
      This browser deleted the key that you signed with, or another tab replaced it. Conversations stay with the old
      key: with a new one you start as a new user.
    </p>
    <button type="button" onClick={() => void startOver().then(onRetry)}>
      Start with a new key
    </button>{' '}
    <button type="button" className="quiet" onClick={onRetry}>
      Try again
    </button>
  </div>
)

const GrantForm = ({ did, isExpired, onRetry }: { did: string; isExpired: boolean; onRetry: () => void }) => {
  const [grant, setGrant] = useState('')
  const save = (event: FormEvent) => {
    event.preventDefault()
    saveGrant(grant)
    onRetry()
  }
  return (
    <div className="card" role="alert">
      <form onSubmit={save}>
        <h2>{isExpired ? 'Your access has ended' : 'You need access'}</h2>
        <p>Ask the operator of this oracle to run this command, and paste what it prints:</p>
        <pre>
          <code>sibyl token grant {did}</code>
        </pre>
        <label htmlFor="grant">Grant</label>
        <textarea id="grant" rows={4} required value={grant} onChange={event => setGrant(event.target.value)} />
        <button type="submit">Continue</button>
      </form>
    </div>
  )
}
