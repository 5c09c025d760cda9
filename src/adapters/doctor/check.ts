export interface DoctorCheck {
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly detail: string
  /** The fix; empty when there is nothing to do. */
  readonly next: string
}

export const ok = (name: string, detail: string): DoctorCheck => ({
  ...{ name, status: 'ok', detail, next: '' },
})

export const warn = (name: string, detail: string, next: string): DoctorCheck => ({
  ...{ name, status: 'warn', detail, next },
})

export const fail = (name: string, detail: string, next: string): DoctorCheck => ({
  ...{ name, status: 'fail', detail, next },
})
