import type { ToolCall } from '../../mcp/tool-server.js';
import { needsNoSlot, type Slots } from './slots.js';

/** Returns the dispatcher with each call in a slot, as a request: one connection can carry many calls at once. */
export function inSlots(slots: Slots, call: ToolCall): ToolCall {
  return (tool, input, context) => {
    if (needsNoSlot(tool.operation.name)) return call(tool, input, context);
    return slots.run(({ keep }) => call(tool, input, { ...context, onUnfinished: keep }), context.signal);
  };
}
