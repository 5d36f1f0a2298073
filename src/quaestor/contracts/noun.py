from pydantic import BaseModel, ConfigDict


class Noun(BaseModel):
    """A frozen value that refuses unknown fields; the base of every contract."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", allow_inf_nan=False)
