import { describe, expect, test } from 'vitest'
import { isTaskId } from '../task-schema.ts'
import { good, hostile } from './task-ids.ts'

describe('isTaskId', () => {
  test.each(good)('accepts %j', (id) => expect(isTaskId(id)).toBe(true))
  test.each(hostile)('refuses %j', (id) => expect(isTaskId(id)).toBe(false))
})
