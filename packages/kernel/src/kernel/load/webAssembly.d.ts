// The part of the WebAssembly JavaScript interface that the kernel uses. The project compiles without the DOM library,
// which is where TypeScript keeps these declarations.

declare global {
  namespace WebAssembly {
    class Module {
      constructor(bytes: Uint8Array);
    }

    class Memory {
      constructor(descriptor: { initial: number; maximum?: number });
      readonly buffer: ArrayBuffer;
      grow(pages: number): number;
    }

    class Instance {
      constructor(module: Module, imports?: Record<string, Record<string, unknown>>);
      readonly exports: Record<string, unknown>;
    }

    function compile(bytes: Uint8Array): Promise<Module>;
  }
}

export {};
