import { Button, Group, Stack } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ActionForm } from '../components/action-form.tsx'
import { ScopeChoice } from './scope-choice.tsx'

/** A form that creates a credential with abilities, and shows why it failed. */
export const CredentialForm = ({
  create,
  label,
  isReady,
  scopes,
  onScopes,
  withOperator = true,
  children,
}: {
  readonly create: Pick<UseMutationResult<unknown, unknown, void>, 'mutate' | 'isPending' | 'error'>
  /** Label of the button. */
  readonly label: string
  /** Whether the other fields are filled in. */
  readonly isReady: boolean
  readonly scopes: string[]
  readonly onScopes: (scopes: string[]) => void
  /** Whether abilities of the operator are offered. @default true */
  readonly withOperator?: boolean
  /** The other fields. */
  readonly children: ReactNode
}) => (
  <ActionForm action={create}>
    <Stack gap="sm">
      <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
        {children}
      </Group>
      <ScopeChoice value={scopes} onChange={onScopes} withOperator={withOperator} />
      <Group>
        <Button type="submit" size="xs" loading={create.isPending} disabled={!isReady || scopes.length === 0}>
          {label}
        </Button>
      </Group>
    </Stack>
  </ActionForm>
)
