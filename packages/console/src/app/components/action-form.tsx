import { Stack } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { Failure } from './failure.tsx'

/** A form whose submit button starts an action, and the reason why the action failed. */
export const ActionForm = ({
  action,
  children,
}: {
  readonly action: Pick<UseMutationResult<unknown, unknown, void>, 'mutate' | 'error'>
  readonly children: ReactNode
}) => {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    action.mutate()
  }
  return (
    <Stack component="form" gap="xs" onSubmit={submit}>
      {children}
      <Failure error={action.error} />
    </Stack>
  )
}
