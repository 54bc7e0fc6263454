import { Link } from '@tanstack/react-router'
import { shortDid } from './did.tsx'
import classes from './person-link.module.css'

/** A DID that opens the page of its person. */
export const PersonLink = ({ did }: { readonly did: string }) => (
  <Link to="/users/people/$did" params={{ did }} title={did} className={classes.link}>
    {shortDid(did)}
  </Link>
)
