interface User {
  readonly bytes: number;
}

/** Memory that the graphs of all indexes of a process share. */
export class GraphBudget {
  private readonly users = new Set<User>();

  constructor(readonly megabytes: number) {}

  get used(): number {
    let sum = 0;
    for (const { bytes } of this.users) sum += bytes;
    return sum;
  }

  join(user: User): void {
    this.users.add(user);
  }

  leave(user: User): void {
    this.users.delete(user);
  }

  /** Returns whether so many bytes more are within it. */
  fits(bytes: number): boolean {
    return this.used + bytes <= this.megabytes * 2 ** 20;
  }
}
