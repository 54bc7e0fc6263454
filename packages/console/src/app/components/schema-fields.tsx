import { Fieldset, JsonInput, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core'
import type { JsonObject, JsonValue } from '@sibyl/protocol'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isObject } from '../api/is-object.ts'
import type { FormField } from './form-fields.ts'

/** Inputs for the fields of a JSON Schema. */
export const SchemaFields = ({
  fields,
  values,
  onChange,
}: {
  readonly fields: readonly FormField[]
  readonly values: JsonObject
  readonly onChange: (values: JsonObject) => void
}) => (
  <Stack gap="xs">
    {fields.map(field => (
      <SchemaField
        key={field.name}
        field={field}
        value={values[field.name]}
        onChange={value => onChange({ ...values, [field.name]: value })}
      />
    ))}
  </Stack>
)

const SchemaField = ({
  field,
  value,
  onChange,
}: {
  readonly field: FormField
  readonly value: JsonValue | undefined
  readonly onChange: (value: JsonValue) => void
}) => {
  const { name, label, description, kind, options, isRequired, unit, minimum, maximum } = field
  const shared = { size: 'xs' as const, label, required: isRequired, description }
  switch (kind) {
    case 'group':
      return (
        <Fieldset legend={label} variant="filled">
          <SchemaFields
            fields={field.fields}
            values={isObject(value) ? (value as JsonObject) : {}}
            onChange={onChange}
          />
        </Fieldset>
      )
    case 'json':
      return <JsonField {...shared} value={value} onChange={onChange} />
    case 'boolean':
      return <Switch {...shared} checked={value === true} onChange={event => onChange(event.currentTarget.checked)} />
    case 'number':
      return (
        <NumberInput
          {...shared}
          value={typeof value === 'number' ? value : ''}
          onChange={onChange}
          hideControls
          {...(unit === undefined ? {} : { suffix: ` ${unit}` })}
          {...(minimum === undefined ? {} : { min: minimum })}
          {...(maximum === undefined ? {} : { max: maximum })}
        />
      )
    case 'choice':
      return (
        <Select
          {...shared}
          clearable={!isRequired}
          data={[...options]}
          value={typeof value === 'string' && value !== '' ? value : null}
          onChange={next => onChange(next ?? '')}
        />
      )
    default:
      return (
        <TextInput
          {...shared}
          name={name}
          type={kind}
          value={typeof value === 'string' ? value : ''}
          onChange={event => onChange(event.currentTarget.value)}
          maxLength={8_000}
        />
      )
  }
}

/** JSON as text; the value changes with each text that is JSON. */
const JsonField = ({
  value,
  onChange,
  ...shared
}: {
  readonly label: string
  readonly value: JsonValue | undefined
  readonly onChange: (value: JsonValue) => void
}) => {
  const { t } = useTranslation()
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value, null, 2)))
  return (
    <JsonInput
      {...shared}
      autosize
      minRows={2}
      maxRows={12}
      placeholder="{…} / […]"
      validationError={t('form.notJson')}
      value={text}
      onChange={next => {
        setText(next)
        try {
          onChange(next.trim() === '' ? '' : (JSON.parse(next) as JsonValue))
        } catch {
          // The input shows that the text is not JSON.
        }
      }}
    />
  )
}
