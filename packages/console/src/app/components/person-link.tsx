import type { PersonName } from '@sibyl/operations/records'
import { Link } from '@tanstack/react-router'
import { useAccess } from '../session/console-context.tsx'
import { Did, shortDid } from './did.tsx'
import classes from './person-link.module.css'
import { usePersonNames } from './person-names.tsx'

/** A person by name, with the end of the DID, since people can choose the name of another; opens their page. */
export const PersonLink = ({
  did,
  names,
}: {
  readonly did: string
  /** Those that a list has already. */
  readonly names?: readonly PersonName[]
}) => {
  const [first] = usePersonNames(did, names)
  if (!useAccess().may('operator/read')) return <Did value={did} />
  return (
    <Link
      to="/users/people/$did"
      params={{ did }}
      title={first ? `${isolated(first.name)}\n${did}` : did}
      className={classes.link}
    >
      {first ? (
        <>
          <bdi className={classes.name}>{first.name}</bdi> <span className={classes.did}>…{did.slice(-6)}</span>
        </>
      ) : (
        <span className={classes.did}>{shortDid(did)}</span>
      )}
    </Link>
  )
}

/** Keeps a name from changing the direction of the text behind it. */
const isolated = (name: string): string => `\u2068${name}\u2069`
