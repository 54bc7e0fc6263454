import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A count that opens its rows, and plain text where it is zero or has no list. */
export const CountLink = ({
  to,
  count,
  isFailure = false,
  children,
}: {
  readonly to: string | undefined
  readonly count: number
  readonly isFailure?: boolean
  readonly children: ReactNode
}) => {
  const [path, hash] = to?.split('#') ?? []
  const color = isFailure && count > 0 ? { c: 'red' } : {}
  return path === undefined || count === 0 ? (
    <Text span inherit {...color}>
      {children}
    </Text>
  ) : (
    <Anchor
      inherit
      underline="always"
      {...color}
      renderRoot={props => <Link to={path} {...(hash !== undefined && { hash })} {...props} />}
    >
      {children}
    </Anchor>
  )
}
