import { ActionIcon, Button, Group, Paper, Select, Stack, TextInput } from '@mantine/core'
import type { RubricCondition } from '@sibyl/plugin-claims/records'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Condition, type Field, nextId } from './protocol-draft.ts'

const operators = [
  'equals',
  'not-equals',
  'at-least',
  'at-most',
  'more-than',
  'less-than',
  'one-of',
  'contains',
  'exists',
] as const

/** Edits the conditions that a claim must meet. */
export const RubricEditor = ({
  conditions,
  fields,
  onChange,
}: {
  readonly conditions: readonly Condition[]
  /** Fields of claims, which conditions name. */
  readonly fields: readonly Field[]
  readonly onChange: (conditions: readonly Condition[]) => void
}) => {
  const { t } = useTranslation('twins')
  const add = () => {
    const id = nextId(conditions)
    const condition: RubricCondition = {
      id: `condition${id + 1}`,
      path: `/${fields[0]?.name ?? 'field'}`,
      operator: 'exists',
      reason: t('protocols.conditionReason'),
    }
    onChange([...conditions, { id, condition }])
  }
  return (
    <Stack gap="xs" role="group" aria-label={t('protocols.rubric')}>
      {conditions.map(one => (
        <ConditionRow
          key={one.id}
          condition={one.condition}
          onChange={condition =>
            onChange(conditions.map(other => (other.id === one.id ? { ...one, condition } : other)))
          }
          onRemove={() => onChange(conditions.filter(({ id }) => id !== one.id))}
        />
      ))}
      <Group>
        <Button size="compact-sm" variant="default" leftSection={<Plus size={14} aria-hidden />} onClick={add}>
          {t('protocols.addCondition')}
        </Button>
      </Group>
    </Stack>
  )
}

const ConditionRow = ({
  condition,
  onChange,
  onRemove,
}: {
  readonly condition: RubricCondition
  readonly onChange: (condition: RubricCondition) => void
  readonly onRemove: () => void
}) => {
  const { t } = useTranslation('twins')
  const [value, setValue] = useState(textOf(condition.value))
  const { id, path, operator, reason } = condition
  const change = (next: Partial<RubricCondition>, text = value) => {
    const { value: _, ...rest } = { ...condition, ...next }
    const read = rest.operator === 'exists' && text === '' ? undefined : typedValue(text, rest.operator)
    onChange({ ...rest, value: read })
  }
  return (
    <Paper withBorder p="xs">
      <Group gap="xs" align="flex-end">
        <TextInput
          size="xs"
          label={t('protocols.conditionId')}
          w="7rem"
          value={id}
          onChange={event => change({ id: event.currentTarget.value })}
        />
        <TextInput
          size="xs"
          label={t('protocols.conditionPath')}
          placeholder="/hours"
          flex="1 1 6rem"
          value={path}
          onChange={event => change({ path: event.currentTarget.value })}
        />
        <Select
          size="xs"
          label={t('protocols.operator')}
          w="8rem"
          allowDeselect={false}
          value={operator}
          data={operators.map(one => ({ value: one, label: t(`protocols.operators.${one}`) }))}
          onChange={next => change({ operator: (next ?? 'exists') as RubricCondition['operator'] })}
        />
        <TextInput
          size="xs"
          label={t('protocols.conditionValue')}
          w="7rem"
          value={value}
          onChange={event => {
            setValue(event.currentTarget.value)
            change({}, event.currentTarget.value)
          }}
        />
        <TextInput
          size="xs"
          label={t('protocols.conditionText')}
          flex="2 1 12rem"
          maxLength={300}
          value={reason}
          onChange={event => change({ reason: event.currentTarget.value })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${t('protocols.removeCondition')}: ${id}`}
          onClick={onRemove}
          mb={2}
        >
          <Trash2 size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </Paper>
  )
}

const textOf = (value: RubricCondition['value']): string =>
  Array.isArray(value) ? value.join(', ') : String(value ?? '')

/** Reads a value as typed: numbers, true and false are not texts. */
const typedValue = (text: string, operator: RubricCondition['operator']): RubricCondition['value'] =>
  operator === 'one-of'
    ? text.split(',').flatMap(one => (one.trim() === '' ? [] : [scalarOf(one.trim())]))
    : text === ''
      ? undefined
      : scalarOf(text)

const scalarOf = (text: string): string | number | boolean => {
  if (text === 'true' || text === 'false') return text === 'true'
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
